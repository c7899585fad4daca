// Functions that find C's frames by their frame pointers, and what calls Go and is called by it.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

extern void goDown(int n);
extern void goFails(void);

int live; // contexts

void lower(int n) { goDown(n); }
void upper(int n) { lower(n); }
void fails(void) { goFails(); }

static int *volatile nowhere;
void crashes(void) { *nowhere = 1; }
void crash(void) { crashes(); }

static volatile unsigned sink;

static double used(void) {
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

void spins(double seconds) {
	for (double end = used() + seconds; used() < end;)
		for (int i = 0; i < 1000000; i++)
			sink = sink * 31 + i;
}
void spin(double seconds) { spins(seconds); }

static void *thread_main(void *seconds) {
	spin(*(double *)seconds);
	return NULL;
}

void spinInThread(double seconds) {
	pthread_t id;
	pthread_create(&id, NULL, thread_main, &seconds);
	pthread_join(id, NULL);
}

struct place {
	uintptr_t pc, fp;
};

struct context_arg {
	uintptr_t context;
};

struct traceback_arg {
	uintptr_t context, signal;
	uintptr_t *buf;
	uintptr_t max;
};

struct symbol_arg {
	uintptr_t pc;
	const char *file;
	uintptr_t line;
	const char *function;
	uintptr_t entry, more, data;
};

// The functions here that traces show.
static const struct {
	const char *name;
	void *code;
} functions[] = {
	{"lower", lower}, {"upper", upper}, {"fails", fails}, {"crashes", crashes}, {"crash", crash}, {"used", used}, {"spins", spins},
	{"spin", spin}, {"thread_main", thread_main}, {"spinInThread", spinInThread},
};

static int find(uintptr_t pc) {
	int best = -1;
	for (int i = 0; i < (int)(sizeof functions / sizeof *functions); i++) {
		uintptr_t at = (uintptr_t)functions[i].code;
		if (at <= pc && pc < at + 512 && (best < 0 || at > (uintptr_t)functions[best].code))
			best = i;
	}
	return best;
}

void context(void *p) {
	struct context_arg *arg = p;
	if (arg->context != 0) {
		free((void *)arg->context);
		__atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
		return;
	}
	// The caller is a function of the C library of cgo's, the one above it what cgo has written.
	uintptr_t *fp = __builtin_frame_address(0);
	struct place *at = malloc(sizeof *at);
	while (find(fp[1] - 1) < 0)
		fp = (uintptr_t *)fp[0];
	at->pc = fp[1];
	at->fp = fp[0];
	arg->context = (uintptr_t)at;
	__atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
}

void traceback(void *p) {
	struct traceback_arg *arg = p;
	uintptr_t pc, fp, n = 0;
	if (arg->context != 0) {
		struct place *at = (struct place *)arg->context;
		pc = at->pc - 1;
		fp = at->fp;
	} else if (arg->signal != 0) {
		ucontext_t *uc = (ucontext_t *)arg->signal;
		pc = uc->uc_mcontext.gregs[REG_RIP];
		fp = uc->uc_mcontext.gregs[REG_RBP];
	} else {
		abort();
	}
	for (; n < arg->max && find(pc) >= 0; n++) {
		arg->buf[n] = pc;
		pc = ((uintptr_t *)fp)[1] - 1;
		fp = ((uintptr_t *)fp)[0];
	}
}

// Each function shows twice, as if another one were inlined in it.
void symbolize(void *p) {
	struct symbol_arg *arg = p;
	int i = find(arg->pc);
	if (i < 0)
		return;
	arg->more = arg->data == 0;
	arg->data = arg->more;
	arg->file = arg->more ? "inlined.c" : "frames.c";
	arg->function = functions[i].name;
	arg->line = 100 + i;
	arg->entry = (uintptr_t)functions[i].code;
}
