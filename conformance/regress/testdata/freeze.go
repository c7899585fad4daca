package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// While a crash is reported nothing else runs: another goroutine ended the process, with status 0, in the middle of the report.
func main() {
	const n = 50000
	if len(os.Args) == 1 {
		var report bytes.Buffer
		crash := exec.Command("/proc/self/exe", "crash")
		crash.Env = append(os.Environ(), "GOTRACEBACK=all")
		crash.Stderr = &report
		err := crash.Run()
		fmt.Println(err, bytes.Count(report.Bytes(), []byte("\ngoroutine ")) > n)
		return
	}
	for range n {
		go func() { select {} }()
	}
	go func() {
		defer func() {
			go func() {
				time.Sleep(10 * time.Millisecond) // to be in the middle
				os.Exit(0)
			}()
		}()
		panic("crash")
	}()
	select {}
}
