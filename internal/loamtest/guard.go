package loamtest

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// A program that a test waits for may hang. On a machine that does other things a sound one takes
// as long as if it did, so the clock alone does not tell: what hangs either uses no processor or
// has used much of it.
const (
	guardLook = 200 * time.Millisecond
	// guardIdle: a program that uses less than this part of a processor while the limit passes
	// waits; the run-time system's own threads use less than that, and a program that has to share
	// a processor with twenty others gets more.
	guardIdle = 50
	// guardBusy is how many processors a program may use while the limit passes.
	guardBusy = 4
)

// Guard kills the process of cmd, which has been started, if it has used several times limit of
// processor time, or hardly any while limit passed. The caller calls stop when the process has
// ended.
func Guard(cmd *exec.Cmd, limit time.Duration) (stop func()) {
	ended := make(chan bool)
	go func() {
		tick := time.NewTicker(guardLook)
		defer tick.Stop()
		since, had := time.Now(), time.Duration(0)
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			used, ok := processorTime(cmd.Process.Pid)
			switch {
			case !ok:
				continue // it has just ended
			case used > guardBusy*limit:
				cmd.Process.Kill()
				return
			case used-had > limit/guardIdle:
				since, had = time.Now(), used
			case time.Since(since) > limit:
				cmd.Process.Kill()
				return
			}
		}
	}()
	return func() { close(ended) }
}

// processorTime is what the process and the children that it has waited for have used.
func processorTime(pid int) (used time.Duration, ok bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// The name is in parentheses, and may have any characters. Behind it the state is the first field.
	_, rest, _ := strings.Cut(string(data[strings.LastIndexByte(string(data), ')'):]), " ")
	fields := strings.Fields(rest)
	const userTime, ticksPerSecond = 11, 100
	if len(fields) < userTime+4 {
		return 0, false
	}
	for _, f := range fields[userTime : userTime+4] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, false
		}
		used += time.Duration(n) * time.Second / ticksPerSecond
	}
	return used, true
}
