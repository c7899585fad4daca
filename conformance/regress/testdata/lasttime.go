package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"os/exec"
	"testing"
	"testing/synctest"
	"time"
)

// Timers that are due at the end of time. Their heap is not empty, and goroutines that wait for them are no deadlock.

var cases = map[string]func(){
	"after":  func() { <-time.After(math.MaxInt64) },
	"ticker": func() { <-time.NewTicker(math.MaxInt64).C },
	"func":   func() { time.AfterFunc(math.MaxInt64, func() {}); select {} },
	"reset":  func() { t := time.NewTimer(time.Hour); t.Reset(math.MaxInt64); <-t.C },
	"sleep":  func() { time.Sleep(math.MaxInt64) },
}

func main() {
	if len(os.Args) > 1 {
		fmt.Println("waits")
		cases[os.Args[1]]()
		return
	}
	for _, name := range []string{"after", "ticker", "func", "reset", "sleep"} {
		c := exec.Command(os.Args[0], name)
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			panic(err)
		}
		line, _ := bufio.NewReader(out).ReadString('\n')
		time.Sleep(200 * time.Millisecond) // a deadlock is found at once
		c.Process.Kill()
		fmt.Printf("%s %s%v\n", name, line, c.Wait())
	}
	testing.Main(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{"Test", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			now := <-time.After(math.MaxInt64)
			fmt.Println(now.UTC().Year(), time.Now().UTC().Year())
		})
		synctest.Test(t, func(t *testing.T) {
			time.AfterFunc(math.MaxInt64, func() { fmt.Println(time.Now().UTC().Year()) })
			time.Sleep(time.Hour)
			fmt.Println(time.Now().UTC().Year())
			<-time.After(math.MaxInt64)
			synctest.Wait()
		})
	}}}, nil, nil)
}
