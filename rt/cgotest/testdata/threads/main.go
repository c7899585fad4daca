// Threads that C makes call Go, many at once, end, and others come.
package main

/*
#include <pthread.h>
#include <stdlib.h>
extern int work(int);
static void *run(void *p) { long s = 0; int n = *(int*)p; for (int i = 0; i < n; i++) s += work(i); return (void*)s; }
static long threads(int k, int n) {
	pthread_t t[64];
	long s = 0;
	for (int i = 0; i < k; i++)
		if (pthread_create(&t[i], NULL, run, &n) != 0) abort();
	for (int i = 0; i < k; i++) { void *r; pthread_join(t[i], &r); s += (long)r; }
	return s;
}
*/
import "C"

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

var mu sync.Mutex
var total int

//export work
func work(x C.int) C.int {
	b := make([]byte, 64+x%1000)
	b[0] = byte(x)
	switch x % 97 {
	case 1:
		runtime.Gosched()
	case 2:
		time.Sleep(time.Microsecond)
	case 3:
		done := make(chan bool)
		go func() { done <- true }()
		<-done
	case 4:
		runtime.LockOSThread()
		runtime.UnlockOSThread()
		runtime.UnlockOSThread()
	}
	mu.Lock()
	total++
	mu.Unlock()
	return x + C.int(b[0]) - C.int(byte(x))
}

func main() {
	for range 20 {
		fmt.Println(C.threads(8, 500))
	}
	results := make(chan C.long)
	for range 4 {
		go func() { results <- C.threads(4, 1000) }()
	}
	for range 4 {
		fmt.Println(<-results)
	}
	for runtime.NumGoroutine() > 1 { // who has sent may not have ended
		time.Sleep(time.Millisecond)
	}
	fmt.Println(total)
}
