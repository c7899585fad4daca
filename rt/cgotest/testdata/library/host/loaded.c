// Loads the library when it has begun, and a copy of it, and has a handler for faults.
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static sigjmp_buf back;

static void fault(int sig) {
	(void)sig;
	siglongjmp(back, 1);
}

static int (*through[2])(int (*)(int), int);
static long (*work[2])(int);

// Each library calls C that calls the other.
static int deeper(int x) {
	if (x % 10 == 0)
		return x + (work[x / 10 % 2](20) != 19000);
	return through[x % 2](deeper, x - 1);
}

int main(int argc, char **argv) {
	struct sigaction handler = {.sa_handler = fault, .sa_flags = SA_ONSTACK};
	void *library;
	int (*add)(int, int), (*touch)(int *);
	long (*busy)(int);

	if (argc < 3)
		return 2;
	sigaction(SIGSEGV, &handler, NULL);
	library = dlopen(argv[1], RTLD_NOW);
	if (library == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	add = (int (*)(int, int))dlsym(library, "Add");
	touch = (int (*)(int *))dlsym(library, "Touch");
	busy = (long (*)(int))dlsym(library, "Busy");
	printf("%d\n", add(3, 4));
	for (int i = 0; i < 3; i++) {
		if (sigsetjmp(back, 1) == 0) {
			*(volatile int *)NULL = 1;
			printf("no fault\n");
		} else
			printf("a fault of C's\n");
		printf("a fault of Go's: %d\n", touch(NULL));
	}
	for (int i = 0; i < 2; i++) {
		library = dlopen(argv[1 + i], RTLD_NOW | RTLD_LOCAL);
		through[i] = (int (*)(int (*)(int), int))dlsym(library, "Through");
		work[i] = (long (*)(int))dlsym(library, "Busy");
	}
	for (int i = 0; i < 100; i++)
		if (deeper(i) != i)
			printf("%d: %d\n", i, deeper(i));
	printf("%ld %d\n", busy(100), dlsym(library, "runtime.main") == NULL);
	return 0;
}
