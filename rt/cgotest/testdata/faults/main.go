// Ways to die in C.
package main

/*
#include <signal.h>
#include <stdlib.h>
static void fault(void) { *(volatile int*)16 = 1; }
static void leave(void) { exit(7); }
static void aborted(void) { abort(); }
*/
import "C"

import "os"

func main() {
	switch os.Args[1] {
	case "fault":
		C.fault()
	case "leave":
		C.leave()
	case "aborted":
		C.aborted()
	case "panic":
		panic("in Go")
	}
}
