//go:debug panicnil=1

// Settings of //go:debug lines and of the go.mod file's version reach the run-time system.
package main

import "fmt"

func main() {
	defer func() { fmt.Println(recover()) }()
	panic(nil)
}
