// Loads the library when it has begun, and has a handler for faults.
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

int main(int argc, char **argv) {
	struct sigaction handler = {.sa_handler = fault, .sa_flags = SA_ONSTACK};
	void *library;
	int (*add)(int, int), (*touch)(int *);
	long (*busy)(int);

	if (argc < 2)
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
	printf("%ld %d\n", busy(100), dlsym(library, "runtime.main") == NULL);
	return 0;
}
