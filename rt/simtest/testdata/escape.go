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
	case "watch":
		_, err := syscall.InotifyInit1(0)
		fmt.Println("made", err)
	case "start":
		out, err := exec.Command("/bin/sh", "-c", "echo made > made-by-simulation").CombinedOutput()
		fmt.Println("made", string(out), err)
	}
}
