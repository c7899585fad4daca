// The environment is the same for Go and C; with cgo on, std asks the C library.
package main

/*
#include <stdlib.h>
static const char *get(const char *name) { return getenv(name); }
*/
import "C"

import (
	"fmt"
	"net"
	"os"
	"os/user"
	"unsafe"
)

func get(name string) string {
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	return C.GoString(C.get(s))
}

func main() {
	os.Setenv("CGOTEST", "one")
	fmt.Println(get("CGOTEST"))
	os.Setenv("CGOTEST", "two")
	fmt.Println(get("CGOTEST"))
	os.Unsetenv("CGOTEST")
	fmt.Println(get("CGOTEST") == "")
	u, err := user.LookupId("0")
	fmt.Println(u.Username, err)
	addrs, err := net.LookupHost("localhost")
	fmt.Println(len(addrs) > 0, err)
}
