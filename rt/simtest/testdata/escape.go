// System calls without a model.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	switch os.Args[1] {
	case "trace":
		fmt.Println("made", syscall.PtraceAttach(1))
	case "start":
		out, err := exec.Command("/bin/sh", "-c", "echo made > made-by-simulation").CombinedOutput()
		fmt.Println("made", string(out), err)
	}
}
