package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// measured runs a command in dir. What a test run prints is of no interest.
func measured(command string, args []string, dir string, env []string) (c cost, err error) {
	cmd := exec.Command(command, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, env, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread() // which the signal waits for
	defer runtime.UnlockOSThread()
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return c, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	// Each look reads all of /proc: seldom enough that it does not slow down what it measures.
	for tick := time.Tick(50 * time.Millisecond); ; {
		select {
		case <-tick:
			c.memory = max(c.memory, resident(cmd.Process.Pid))
		case err := <-done:
			c.elapsed = time.Since(start)
			c.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			return c, err
		}
	}
}

// resident is the memory of a process and all that it has started, in bytes.
func resident(root int) (sum int64) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	parent, pages := map[int]int{}, map[int]int64{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		// After the name in parentheses: state, parent ... and as the 22nd the resident pages.
		f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(f) < 22 {
			continue
		}
		parent[pid], _ = strconv.Atoi(f[1])
		pages[pid], _ = strconv.ParseInt(f[21], 10, 64)
	}
	for pid := range pages {
		for p := pid; p > 1; p = parent[p] {
			if p == root {
				sum += pages[pid] * int64(os.Getpagesize())
				break
			}
		}
	}
	return sum
}

// size is the number of bytes of the files in a directory.
func size(dir string) (sum int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				sum += info.Size()
			}
		}
		return nil
	})
	return sum
}
