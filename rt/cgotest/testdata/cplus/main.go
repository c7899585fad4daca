// A package with C++, C and assembly in files, thread-local data, and flags.
package main

/*
#cgo CFLAGS: -DFACTOR=3
#cgo LDFLAGS: -lm
#include <math.h>
#include "part.h"
extern int thrice(int);
static __thread int local = 5;
static int bump(void) { return local += FACTOR; }
*/
import "C"

import "fmt"

func main() {
	fmt.Println(C.plus_plus(2), C.plus_plus(9), C.twice(4), C.thrice(5), C.sqrt(2), C.bump())
}
