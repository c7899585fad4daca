// A system call without a model.
package main

import (
	"fmt"
	"os"
)

func main() {
	err := os.Mkdir("made-by-simulation", 0o755)
	fmt.Println("made", err)
}
