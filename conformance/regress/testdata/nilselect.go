package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"testing"
	"testing/synctest"
)

// A select with cases, all on nil channels, is a select that waits, not one without cases.

func wait() {
	var c, d chan int
	select {
	case <-c:
	case d <- 1:
	}
}

func main() {
	if len(os.Args) > 1 {
		os.Args = os.Args[:1]
		testing.Main(func(string, string) (bool, error) { return true, nil },
			[]testing.InternalTest{{"Test", func(t *testing.T) { synctest.Test(t, func(t *testing.T) { wait() }) }}}, nil, nil)
		return
	}
	header := regexp.MustCompile(`\[.*\]:`)
	tell := func(arg ...string) {
		c := exec.Command(os.Args[0], arg...)
		c.Env = append(os.Environ(), "DEADLOCK=1")
		out, err := c.CombinedOutput()
		fmt.Println(err)
		for _, h := range header.FindAll(out, -1) {
			fmt.Printf("\t%s\n", h)
		}
	}
	if os.Getenv("DEADLOCK") != "" {
		wait()
	}
	tell()
	tell("bubble")
}
