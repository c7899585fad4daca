package schedtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// years is what testdata/faketime writes, each piece behind the nanoseconds since its clock began.
// A playground's clock begins in 2009, and grows by one with each change of the descriptor.
const years = `0: 0s still 2009-11-10T23:00:00Z
3600000000000000: 1000h0m0s sleeper 4
7200000000000000: 2000h0m0s sleeper 3
10800000000000000: 3000h0m0s sleeper 2
14400000000000000: 4000h0m0s sleeper 1
18000000000000000: 5000h0m0s sleeper 0
18000001500000000: 5000h0m1.5s tick 5000h0m1.5s
18000003000000000: 5000h0m3s tick 5000h0m3s
18000004500000000: 5000h0m4.5s tick 5000h0m4.5s
18000064500000000: 5000h1m4.5s context deadline exceeded
18003664500000000: 5001h1m4.5s after an hour
18003671500000000: 5001h1m11.5s called
18003671500000002: and back
`

// TestFakeTime builds a program with the tag faketime. Time goes on although goroutines wait for
// the network, and after collections.
func TestFakeTime(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "faketime")
	loamtest.Do(t, loamtest.Command(t), "build", "-tags=faketime", "-o", exe, "./testdata/faketime")
	for _, env := range settings {
		out, err := frames(t, exe, strings.Fields(env))
		if out != years {
			t.Errorf("%s: standard output\n%s", env, out)
		}
		if want := "18003671500000001: to standard error\n18003672500000000: fatal error: all goroutines are asleep - deadlock!\n"; !strings.HasPrefix(err, want) {
			t.Errorf("%s: standard error\n%s", env, err)
		}
		out, _ = frames(t, exe, strings.Fields(env), "net")
		if !strings.HasPrefix(out, "0: 0s still 2009-11-10T23:00:00Z\n1000000000: 1s deadline: true\n") ||
			!strings.Contains(out, "5001h1m12.5s called\n") {
			t.Errorf("%s: with the network\n%s", env, out)
		}
	}
}

// frames runs exe and returns what it wrote, each piece behind its time, and those of one time in
// one.
func frames(t *testing.T, exe string, env []string, args ...string) (stdout, stderr string) {
	cmd := exec.Command(exe, args...)
	cmd.Env = loamtest.Environ(env...)
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := loamtest.Guard(cmd, 2*time.Minute)
	cmd.Wait()
	stop()
	if cmd.ProcessState.ExitCode() != 2 {
		t.Errorf("%v: %v, not exit code 2", env, cmd.ProcessState)
	}
	return decode(t, out.Bytes()), decode(t, err.Bytes())
}

func decode(t *testing.T, b []byte) string {
	const start = 1257894000 * 1e9
	var text strings.Builder
	last := ^uint64(0)
	for len(b) > 0 {
		const head = 16
		if len(b) < head || string(b[:4]) != "\x00\x00PB" {
			t.Fatalf("no frame: %q", b)
		}
		when, n := binary.BigEndian.Uint64(b[4:])-start, int(binary.BigEndian.Uint32(b[12:]))
		if len(b) < head+n {
			t.Fatalf("cut: %q", b)
		}
		if when != last {
			fmt.Fprintf(&text, "%d: ", when)
		}
		text.Write(b[head : head+n])
		b, last = b[head+n:], when
	}
	return text.String()
}
