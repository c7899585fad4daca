// Linked with the library, calls it from many threads, which come and go.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "liblib.h"

static int twice(int x) { return Add(x, x); }

static void *caller(void *arg) {
	for (int i = 0; i < 200; i++)
		if (Through(twice, i) != 2 * i + 1)
			abort();
	return arg;
}

static sigjmp_buf back;

static void fault(int sig) {
	(void)sig;
	siglongjmp(back, 1);
}

static volatile sig_atomic_t usr1, hup;

static void count(int sig) {
	if (sig == SIGHUP)
		hup++;
	else
		usr1++;
}

int main(void) {
	char text[32] = "";
	struct Divide_return r;
	struct sigaction handler = {.sa_flags = SA_ONSTACK};
	pthread_t threads[8];
	int n = Ready(text, sizeof text);

	printf("%.*s %d\n", n, text, Arguments());
	printf("%d %d\n", Add(1, 2), Through(twice, 20));
	r = Divide(7, 2);
	printf("%d %s\n", r.r0, r.r1 ? r.r1 : "-");
	r = Divide(7, 0);
	printf("%d %s\n", r.r0, r.r1);
	printf("touch %d\n", Touch(NULL));
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < 8; i++)
			pthread_create(&threads[i], NULL, caller, NULL);
		for (int i = 0; i < 8; i++)
			pthread_join(threads[i], NULL);
	}
	printf("busy %ld\n", Busy(500));

	// A fault of C's own is for the handler of C's that was there before. The library leaves other
	// signals alone until os/signal wants them, and gives them back.
	handler.sa_handler = count;
	sigaction(SIGUSR1, &handler, NULL);
	sigaction(SIGHUP, &handler, NULL);
	raise(SIGUSR1);
	Listen();
	kill(getpid(), SIGUSR1);
	printf("heard %d\n", Heard() == SIGUSR1);
	Deafen();
	raise(SIGUSR1);
	raise(SIGHUP);
	printf("counted %d %d\n", (int)usr1, (int)hup);
	return 0;
}
