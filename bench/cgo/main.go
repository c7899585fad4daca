// Cgo measures calls between Go and C: of functions that do nothing, with strings, back into Go,
// from many goroutines at once, of functions that block; and SQLite as C, by mattn/go-sqlite3, in
// memory. It prints a name and the nanoseconds that a call or a statement takes. bench runs it
// under both compilers:
//
//	go run ./bench -program cgo
//
// It is a module of its own, so that Loam does not depend on what it measures.
//
// usage: cgo [-list] [REGEXP]
package main

/*
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void nothing(void) {}
static int sum(int a, int b) { return a + b; }
static int sleeps(int us) { return usleep(us); }

extern int back(int);
static int calls(int n) {
	int s = 0;
	while (n-- > 0)
		s += back(n);
	return s;
}
*/
import "C"

import (
	"flag"
	"fmt"
	"regexp"
	"sync"
	"time"
	"unsafe"
)

//export back
func back(n C.int) C.int { return n & 1 }

// A figure is measured for at least the budget: do does something n times.
type figure struct {
	name string
	do   func(n int)
}

const budget = 300 * time.Millisecond

var figures = []figure{
	{"call", func(n int) {
		for range n {
			C.nothing()
		}
	}},
	{"call with numbers", func(n int) {
		for i := range n {
			C.sum(C.int(i), 1)
		}
	}},
	{"call with a string", func(n int) {
		for range n {
			s := C.CString("a string of some length")
			C.strlen(s)
			C.free(unsafe.Pointer(s))
		}
	}},
	{"callback", func(n int) { C.calls(C.int(n)) }},
	{"call by 100 goroutines", func(n int) {
		many(100, n, func() { C.nothing() })
	}},
	{"blocking call by 100 goroutines", func(n int) {
		many(100, n, func() { C.sleeps(100) })
	}},
}

// many does something n times or a few more, in so many goroutines.
func many(goroutines, n int, do func()) {
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			for range n/goroutines + 1 {
				do()
			}
		})
	}
	all.Wait()
}

// measure returns the nanoseconds of one.
func (f *figure) measure() float64 {
	for n := 1; ; n *= 2 {
		began := time.Now()
		f.do(n)
		if took := time.Since(began); took >= budget {
			return float64(took.Nanoseconds()) / float64(n)
		}
	}
}

func main() {
	list := flag.Bool("list", false, "print the names of the figures only")
	flag.Parse()
	only := regexp.MustCompile(flag.Arg(0))
	for _, f := range append(figures, statements...) {
		switch {
		case !only.MatchString(f.name):
		case *list:
			fmt.Println(f.name)
		default:
			fmt.Printf("%s\t\t\t%.2f\tns\n", f.name, f.measure())
		}
	}
}
