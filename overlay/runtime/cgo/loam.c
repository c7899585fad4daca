// What rt/sys calls of the C library (rt/sys/c.go), and what code by the cgo tool calls.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

// The thread block of the calling thread (rt/sys/thread.go).
#ifdef LOAM_LIBRARY
extern void *loam_segment(void);
#else
enum { base = 0x180 };
static void *loam_segment(void) { return (char *)__builtin_thread_pointer() - base; }
#endif

// As rt/sys has it.
struct thread {
	void *block;
	uintptr_t lo, hi;
};

// How much of a stack the frames may have between bounds and who uses what is below them.
enum { kept = 8192 };

static void bounds(struct thread *t) {
	pthread_attr_t attr;
	void *lo;
	size_t size;

	t->block = loam_segment();
	t->hi = ((uintptr_t)__builtin_frame_address(0) - kept) & -16;
	t->lo = t->hi - 64 * 1024;
	if (pthread_getattr_np(pthread_self(), &attr) == 0) {
		if (pthread_attr_getstack(&attr, &lo, &size) == 0)
			t->lo = (uintptr_t)lo + 4096;
		pthread_attr_destroy(&attr);
	}
}

static uintptr_t tell_bounds(void *t) {
	bounds(t);
	return 0;
}

struct request {
	struct thread *thread;
	sem_t ready;
};

extern void loam_c_thread(void *block);

static void *thread_main(void *arg) {
	struct request *r = arg;
	void *block;

	bounds(r->thread);
	block = r->thread->block;
	sem_post(&r->ready);
	loam_c_thread(block);
	return NULL;
}

static uintptr_t new_thread(void *t) {
	struct request r = {.thread = t};
	pthread_attr_t attr;
	pthread_t id;
	int err;

	sem_init(&r.ready, 0, 0);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	err = pthread_create(&id, &attr, thread_main, &r);
	pthread_attr_destroy(&attr);
	if (err == 0)
		while (sem_wait(&r.ready) != 0)
			;
	sem_destroy(&r.ready);
	return err;
}

// A thread that C has made, and that has called Go, tells when it ends.
extern void loam_thread_left(void *m);

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_key(void) {
	if (pthread_key_create(&key, loam_thread_left) != 0) {
		fprintf(stderr, "runtime/cgo: pthread_key_create failed\n");
		abort();
	}
}

static uintptr_t keep(void *m) {
	pthread_once(&once, make_key);
	pthread_setspecific(key, m);
	return 0;
}

static uintptr_t set_env(void *pair) {
	char **p = pair;
	return setenv(p[0], p[1], 1);
}

static uintptr_t unset_env(void *name) { return unsetenv(name); }

// The program's context function (runtime.SetCgoTraceback), which each callback has called: with 0,
// to make a context, and with that when the callback is over.
struct context {
	uintptr_t context;
};

static void (*context_function)(struct context *);

static uintptr_t set_context(void *function) {
	__atomic_store_n(&context_function, (void (*)(struct context *))function, __ATOMIC_RELEASE);
	return 0;
}

static uintptr_t call_context(uintptr_t context) {
	void (*function)(struct context *) = __atomic_load_n(&context_function, __ATOMIC_ACQUIRE);
	struct context c = {context};

	if (function == NULL)
		return 0;
	function(&c);
	return c.context;
}

// sys.CFunctions.
uintptr_t (*const loam_c_table[])(void *) = {new_thread, tell_bounds, keep, set_env, unset_env, set_context};

// Stacks of goroutines do not move: arguments stay where they are while C calls Go.
char *_cgo_topofstack(void) { return NULL; }

// A program has begun before any C of its packages runs, but for constructors, which may wait here.
extern uint32_t loam_c_started;

size_t _cgo_wait_runtime_init_done(void) {
	for (int n = 0; !__atomic_load_n(&loam_c_started, __ATOMIC_ACQUIRE); n++)
		if (n < 100)
			sched_yield();
		else
			usleep(100);
	return call_context(0);
}

#ifdef LOAM_LIBRARY
// A library begins the run-time system on a thread of its own, and does not wait for it: who calls Go
// does.
enum { fsgsbase = 2 }; // of AT_HWCAP2

extern void loam_c_library(char **argv, uintptr_t lo, uintptr_t hi);

static void *library_main(void *argv) {
	struct thread t;

	bounds(&t);
	loam_c_library(argv, t.lo, t.hi);
	return NULL;
}

// Whether code may use the instructions that read and write GS.
uint32_t loam_fsgsbase __attribute__((visibility("hidden")));

__attribute__((constructor)) static void begin(int argc, char **argv) {
	pthread_attr_t attr;
	pthread_t id;
	int err;

	(void)argc;
	loam_fsgsbase = (getauxval(AT_HWCAP2) & fsgsbase) != 0;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	err = pthread_create(&id, &attr, library_main, argv);
	pthread_attr_destroy(&attr);
	if (err != 0) {
		fprintf(stderr, "runtime/cgo: pthread_create failed: %s\n", strerror(err));
		abort();
	}
}
#endif

void _cgo_release_context(size_t context) {
	if (context != 0)
		call_context(context);
}
