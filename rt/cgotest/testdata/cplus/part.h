#ifdef __cplusplus
extern "C" {
#endif
int plus_plus(int);
#ifdef __cplusplus
}
#endif
int twice(int);
