package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
)

// The forms of GOGC.
func main() {
	if len(os.Args) > 1 {
		fmt.Print(debug.SetGCPercent(100))
		return
	}
	for _, value := range []string{"", "off", "50", "0", "+5", "-0", "-1", "-100", "-", "x", "-off", "5x", "2147483647", "2147483648"} {
		cmd := exec.Command(os.Args[0], "child")
		cmd.Env = append(os.Environ(), "GOGC="+value)
		out, err := cmd.CombinedOutput()
		fmt.Printf("%q %s %v\n", value, out, err)
	}
}
