package loamtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A program that a test waits for may hang. On a machine that does other things a sound one takes
// as long as if it did, so the clock alone does not tell: what hangs either uses no processor, and
// does not wait for one, or has used much of it.
const (
	guardLook = 200 * time.Millisecond
	// guardIdle: a program that uses less than this part of a processor while the limit passes
	// waits; the run-time system's own threads use less than that, and a program that has to share
	// a processor with twenty others gets more.
	guardIdle = 50
	// guardWants: so does not one whose threads wait for a processor for more than this part of the
	// limit. That of a program that hangs is next to nothing: its threads sleep.
	guardWants = 2
	// guardBusy is how many processors a program may use while the limit passes.
	guardBusy = 4
)

// usage is the processor time of a process.
type usage struct {
	used   time.Duration // with that of the children that it has waited for
	waited time.Duration // how long its threads could run and had no processor
}

// Guard kills the process of cmd, which has been started, if it has used several times limit of
// processor time, or hardly any while limit passed, and says so. The caller calls stop when the
// process has ended.
func Guard(cmd *exec.Cmd, limit time.Duration) (stop func()) {
	ended := make(chan bool)
	go func() {
		tick := time.NewTicker(guardLook)
		defer tick.Stop()
		since, had := time.Now(), usage{}
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			now, ok := processorTime(cmd.Process.Pid)
			switch {
			case !ok:
				continue // it has just ended
			case now.used <= guardBusy*limit && (now.used-had.used > limit/guardIdle || now.waited-had.waited > limit/guardWants):
				since, had = time.Now(), now
			case now.used > guardBusy*limit || time.Since(since) > limit:
				fmt.Fprintf(os.Stderr, "%v is killed: it has used %v of processor time, %v of it in the last %v\n",
					cmd, now.used, now.used-had.used, time.Since(since).Round(guardLook))
				cmd.Process.Kill()
				return
			}
		}
	}()
	return func() { close(ended) }
}

// processorTime is what the process has used so far.
func processorTime(pid int) (u usage, ok bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return u, false
	}
	// The name is in parentheses, and may have any characters. Behind it the state is the first field.
	_, rest, _ := strings.Cut(string(data[strings.LastIndexByte(string(data), ')'):]), " ")
	fields := strings.Fields(rest)
	const userTime, ticksPerSecond = 11, 100
	if len(fields) < userTime+4 {
		return u, false
	}
	for _, f := range fields[userTime : userTime+4] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return u, false
		}
		u.used += time.Duration(n) * time.Second / ticksPerSecond
	}
	u.waited = processorWait(pid)
	return u, true
}

// processorWait is how long the threads of the process, those that there are, could run and had no
// processor; 0 where the system does not count it.
func processorWait(pid int) (waited time.Duration) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, file := range threads {
		data, err := os.ReadFile(file)
		fields := strings.Fields(string(data)) // nanoseconds run and waited, and how often it ran
		if err != nil || len(fields) < 2 {
			continue // it has just ended
		}
		n, _ := strconv.ParseInt(fields[1], 10, 64)
		waited += time.Duration(n)
	}
	return waited
}
