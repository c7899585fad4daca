package simtest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// The simulated network does what the real one does: datagrams, ends and losses of connections,
// refusals, options, descriptors. It has IPv6, whether or not the machine has.
func TestTalk(t *testing.T) {
	exe := build(t, "talk", "-sim")
	for _, part := range []struct{ mode, want string }{
		{"same", ""},
		{"families", `127.0.0.1 127.0.0.1 127.0.0.1
127.0.0.7 127.0.0.1 127.0.0.7
::1 ::1 ::1
"trunc" true true <nil>
`},
	} {
		want := part.want
		if want == "" || machineHasIPv6() {
			out, state := loamtest.Run(t, time.Minute, nil, exe, part.mode)
			if state.ExitCode() != 0 || want != "" && out != want {
				t.Fatalf("%s without simulation: exit code %d\n%s", part.mode, state.ExitCode(), out)
			}
			want = out
		}
		for seed := range 10 {
			settings := fmt.Sprintf("seed=%d", seed)
			out, report, code := runWith(t, settings, exe, part.mode)
			if code != 0 || out != want {
				t.Fatalf("%s, seed %d: exit code %d\n%s\nwithout simulation\n%s", part.mode, seed, code, out, want)
			}
			if o, r, _ := runWith(t, settings, exe, part.mode); o != out || r != report {
				t.Errorf("%s, seed %d, second run:\n%s%s\nfirst run:\n%s%s", part.mode, seed, o, r, out, report)
			}
		}
	}
}

// System calls that a program makes itself do what they do elsewhere.
func TestCalls(t *testing.T) {
	for _, program := range []string{"calls", "watch"} {
		t.Run(program, func(t *testing.T) { sameAsWithout(t, build(t, program, "-sim")) })
	}
}

// sameAsWithout compares simulated runs with one that is none. The programs sleep for 10 ms instead
// of waiting for others, so nobody is slow for longer.
func sameAsWithout(t *testing.T, exe string) {
	want, state := loamtest.Run(t, time.Minute, nil, exe)
	if !state.Success() {
		t.Fatalf("without simulation: %v\n%s", state, want)
	}
	list := filepath.Join(t.TempDir(), "list")
	for seed := range 10 {
		settings := fmt.Sprintf("seed=%d,stall=2000000", seed)
		out, report, code := run(t, exe, settings+",log="+list)
		if code != 0 || out != want {
			t.Fatalf("seed %d: exit code %d\n%s\nwithout simulation\n%s", seed, code, out, want)
		}
		if o, r, _ := run(t, exe, settings+",list="+list); o != out || r != report {
			t.Errorf("seed %d, from its list:\n%s%s\nfirst run:\n%s%s", seed, o, r, out, report)
		}
	}
}

func machineHasIPv6() bool {
	l, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		return false
	}
	l.Close()
	return true
}

// What the seed and the settings decide of the network differs between seeds, and not between runs
// with the same one.
func TestTalkDiffers(t *testing.T) {
	exe := build(t, "talk", "-sim")
	for _, c := range []struct {
		mode, settings, want string
		outcomes             int // at least so many of six seeds
	}{
		{"race", "", "order ", 4},
		{"lossy", "", "lost false twice false late false\n", 1},
		{"lossy", ",loss=10,duplicates=10,reorder=10", "lost true twice true late true\n", 4},
		{"slow", "", "false false\n", 1},
		{"slow", ",latency=50000000,bandwidth=1000000", "true true\n", 1},
		{"resets", "", "resets false true\n", 1},
		{"resets", ",resets=5", "resets true true\n", 2},
		{"pieces", "", "pieces false false\n", 1},
		{"pieces", ",pieces=5", "pieces true false\n", 4},
		{"partitions", "", "partitions false true\n", 1},
		{"partitions", ",partitions=500000000", "partitions true true\n", 3},
	} {
		outcomes := map[string]bool{}
		for seed := range 6 {
			settings := fmt.Sprintf("seed=%d%s", seed, c.settings)
			out, report, code := runWith(t, settings, exe, c.mode)
			if code != 0 || !strings.HasPrefix(out, c.want) {
				t.Errorf("%s %s: exit code %d\n%s", c.mode, settings, code, out)
			}
			if o, r, _ := runWith(t, settings, exe, c.mode); o != out || r != report {
				t.Errorf("%s %s, second run:\n%s%s\nfirst run:\n%s%s", c.mode, settings, o, r, out, report)
			}
			outcomes[out] = true
		}
		if len(outcomes) < c.outcomes {
			t.Errorf("%s%s: six seeds give %v", c.mode, c.settings, outcomes)
		}
	}
}

// What goes wrong with the network and the disk is in the schedule, and does not without its line.
func TestFaultsAreDeviations(t *testing.T) {
	talk, files := build(t, "talk", "-sim"), build(t, "files", "-sim")
	list := filepath.Join(t.TempDir(), "list")
	for _, c := range []struct {
		exe, mode, settings string
		words               []string // of lines
		with, without       string   // what is printed
	}{
		{talk, "lossy", ",loss=10,duplicates=10,reorder=10", []string{"lose", "again", "behind"},
			"lost true twice true late true\n", "lost false twice false late false\n"},
		{talk, "resets", ",resets=5", []string{"reset"}, "resets true true\n", "resets false true\n"},
		{talk, "pieces", ",pieces=5", []string{"halves"}, "pieces true false\n", "pieces false false\n"},
		{files, "faults", ",diskerrors=10,shortwrites=5", []string{"error", "write"},
			"eio true full false short true fine true\n", "eio false full false short false fine true\n"},
	} {
		settings := "seed=3" + c.settings
		out, report, _ := runWith(t, settings+",log="+list, c.exe, c.mode)
		if !strings.HasPrefix(out, c.with) {
			t.Errorf("%s %s:\n%s", c.mode, settings, out)
		}
		if o, r, _ := runWith(t, settings+",list="+list, c.exe, c.mode); o != out || r != report {
			t.Errorf("%s %s, from its list:\n%s%s\nfirst run:\n%s%s", c.mode, settings, o, r, out, report)
		}
		text, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		others := ""
		left := map[string]int{}
		for line := range strings.Lines(string(text)) {
			if word, _, _ := strings.Cut(line, " "); slices.Contains(c.words, word) {
				left[word]++
			} else {
				others += line
			}
		}
		if len(left) != len(c.words) {
			t.Errorf("%s %s: the schedule has %v", c.mode, settings, left)
		}
		if err := os.WriteFile(list, []byte(others), 0o666); err != nil {
			t.Fatal(err)
		}
		if o, _, _ := runWith(t, settings+",list="+list, c.exe, c.mode); !strings.HasPrefix(o, c.without) {
			t.Errorf("%s %s, without what goes wrong:\n%s", c.mode, settings, o)
		}
	}
}

// Names are those of the machine's files and of the settings, and no others.
func TestNames(t *testing.T) {
	exe := build(t, "talk", "-sim")
	want := `localhost [127.0.0.1] <nil>
loam [127.0.1.1] <nil>
db.example [127.0.0.5] <nil>
DB.Example. [127.0.0.5] <nil>
other.example [] not found: true, timeout: false
127.0.0.5:80 "found" <nil>
`
	for seed := range 3 {
		settings := fmt.Sprintf("seed=%d,names=cache.example:127.0.0.4;db.example:127.0.0.5", seed)
		if out, _, code := runWith(t, settings, exe, "names"); code != 0 || out != want {
			t.Errorf("seed %d: exit code %d\n%s\nwant\n%s", seed, code, out, want)
		}
	}
	out, _, _ := runWith(t, "seed=1,names=db.example:127.0.0.5,loss=1", exe, "names")
	if !strings.Contains(out, "not found: false, timeout: true") {
		t.Errorf("when all datagrams are lost: %s", out)
	}
}

// The program can be told to end at a time.
func TestSigterm(t *testing.T) {
	exe := build(t, "talk", "-sim")
	out, state := loamtest.Run(t, time.Minute, []string{"LOAMSIM=seed=1,report=2,sigterm=5000000000"}, exe, "signal")
	if state.Success() || !strings.HasPrefix(out, "exit 143 ") || strings.Contains(out, "not killed") {
		t.Errorf("%v\n%s", state, out)
	}
}
