// C calls Go: with all kinds of values, nested, from many goroutines, and what Go does there
// allocates, collects, waits and grows the stack.
package main

/*
#include <stdint.h>
#include <stdlib.h>
typedef struct { int8_t a; double b; } pair;
extern int64_t mixedArgs(int8_t, double, int16_t, float, void*);
extern pair makePair(int8_t, double);
extern int fib(int);
extern void waits(int);
extern int deep(int);
extern int compare(void*, void*);
static int64_t callMixed(void *p) { return mixedArgs(-3, 2.5, 1000, 0.5f, p); }
static double callPair(void) { pair p = makePair(4, 0.25); return p.a + p.b; }
static int cfib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void callWaits(int n) { waits(n); }
static int callDeep(int n) { return deep(n); }
static int cmp(const void *a, const void *b) { return compare((void*)a, (void*)b); }
static void sorted(int *p, int n) { qsort(p, n, sizeof *p, cmp); }
*/
import "C"

import (
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

//export mixedArgs
func mixedArgs(a C.int8_t, b C.double, c C.int16_t, d C.float, p unsafe.Pointer) C.int64_t {
	return C.int64_t(a) + C.int64_t(b*10) + C.int64_t(c) + C.int64_t(d*100) + C.int64_t(*(*int32)(p))
}

//export makePair
func makePair(a C.int8_t, b C.double) C.pair { return C.pair{a: a + 1, b: b * 2} }

//export fib
func fib(n C.int) C.int { return C.cfib(n) }

var ch = make(chan int)
var mu sync.Mutex

//export waits
func waits(n C.int) {
	if n%2 == 0 {
		ch <- int(n)
	} else {
		time.Sleep(time.Microsecond)
		mu.Lock()
		runtime.Gosched()
		mu.Unlock()
	}
}

//export deep
func deep(n C.int) C.int {
	var pad [2000]byte
	pad[n%2000] = 1
	if n == 0 {
		runtime.GC()
		return 0
	}
	if n%50 == 0 {
		return C.callDeep(n-1) + C.int(pad[n%2000])
	}
	return deep(n-1) + C.int(pad[n%2000])
}

//export compare
func compare(a, b unsafe.Pointer) C.int { return *(*C.int)(a) - *(*C.int)(b) }

func main() {
	x := (*int32)(C.malloc(4))
	*x = 7
	fmt.Println(C.callMixed(unsafe.Pointer(x)), C.callPair(), C.cfib(15))
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			for j := range 20 {
				C.callWaits(C.int(i*20 + j))
			}
		})
	}
	sum := 0
	for range 200 * 10 {
		sum += <-ch
	}
	wg.Wait()
	fmt.Println(sum)
	results := make(chan C.int)
	for range 8 {
		go func() { results <- C.callDeep(400) }()
	}
	for range 8 {
		fmt.Print(<-results, " ")
	}
	fmt.Println()
	n := 1000
	list := unsafe.Slice((*C.int)(C.malloc(C.size_t(4*n))), n)
	for i := range list {
		list[i] = C.int(i * 7919 % n)
	}
	C.sorted(&list[0], C.int(n))
	for i := range list {
		if list[i] != C.int(i) {
			fmt.Println("not sorted at", i)
			return
		}
	}
	fmt.Println("sorted", runtime.NumCgoCall() > 1000)
}
