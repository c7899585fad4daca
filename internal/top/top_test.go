package top

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func read(t *testing.T, text string) *Reading {
	t.Helper()
	r, err := Read(strings.NewReader("usage profile: some lines\n# a remark\n" + text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A goroutine that goes on, one that ends, one that is new, and one that did nothing.
const (
	first = "1000\t500\t0\t10\t100\t1\trunning\tmain.a\ta.go:1\t\n" +
		"7000\t0\t0\t3\t0\t2\trunnable\tmain.b\ta.go:2\t\"k\":\"v\"\n" +
		"9\t0\t0\t1\t0\t4\tsleep\tmain.idle\ta.go:3\t\n" +
		"50\t0\t0\t5\t0\t0\tended\tmain.b\ta.go:2\t\"k\":\"v\"\n"
	second = "1600\t700\t20\t14\t300\t1\tselect\tmain.a\ta.go:1\t\n" +
		"9\t0\t0\t1\t0\t4\tsleep\tmain.idle\ta.go:3\t\n" +
		"40\t0\t0\t1\t8\t9\trunnable\tmain.b\ta.go:2\t\"k\":\"v\"\n" +
		"7250\t0\t0\t10\t0\t0\tended\tmain.b\ta.go:2\t\"k\":\"v\"\n"
)

func TestBetween(t *testing.T) {
	a, b := read(t, first), read(t, second)
	of1 := Use{Run: 600, Wait: 200, Calls: 20, Turns: 4, Bytes: 200}
	for by, want := range map[By][]Row{
		Statement: {
			{Use: of1, Live: 1, Function: "main.a", Place: "a.go:1"},
			{Use: Use{Run: 240, Turns: 3, Bytes: 8}, Live: 1, Function: "main.b", Place: "a.go:2"},
		},
		Label: {{Use: of1, Live: 2}, {Use: Use{Run: 240, Turns: 3, Bytes: 8}, Live: 1, Labels: `"k":"v"`}},
		Goroutine: {
			{Use: of1, Live: 1, Goroutine: 1, State: "select", Function: "main.a", Place: "a.go:1"},
			{Use: Use{Run: 200, Turns: 2}, State: "ended", Function: "main.b", Place: "a.go:2", Labels: `"k":"v"`},
			{Use: Use{Run: 40, Turns: 1, Bytes: 8}, Live: 1, Goroutine: 9, State: "runnable", Function: "main.b", Place: "a.go:2", Labels: `"k":"v"`},
		},
	} {
		got := Between(a, b, by)
		Sort(got, "run")
		if !slices.Equal(got, want) {
			t.Errorf("by %d: %+v\nwant %+v", by, got, want)
		}
	}
}

func TestSort(t *testing.T) {
	rows := Between(read(t, first), read(t, second), Goroutine)
	for order, want := range map[string]int64{"run": 1, "wait": 1, "calls": 1, "turns": 1, "bytes": 1} {
		Sort(rows, order)
		if rows[0].Goroutine != want {
			t.Errorf("%s: goroutine %d comes first", order, rows[0].Goroutine)
		}
	}
	rows[0].Bytes, rows[2].Bytes = 0, 500
	last := rows[2].Goroutine
	Sort(rows, "bytes")
	if rows[0].Goroutine != last {
		t.Errorf("bytes: goroutine %d comes first", rows[0].Goroutine)
	}
}

func TestPrint(t *testing.T) {
	a, b := read(t, first), read(t, second)
	for by, want := range map[By]string{
		Statement: `in 1ms: 0.1 % of a processor, 2 goroutines at work, 208 kB/s allocated
  RUN %  WAIT %  CALL %   TURNS/s    ALLOC/s    LIVE FUNCTION, GO STATEMENT
    0.1     0.0     0.0      4000     200 kB       1 main.a a.go:1
`,
		Label: `in 1ms: 0.1 % of a processor, 3 goroutines at work, 208 kB/s allocated
  RUN %  WAIT %  CALL %   TURNS/s    ALLOC/s    LIVE LABELS
    0.1     0.0     0.0      4000     200 kB       2 (none)
`,
		Goroutine: `in 1ms: 0.1 % of a processor, 2 goroutines at work, 208 kB/s allocated
  RUN %  WAIT %  CALL %   TURNS/s    ALLOC/s  GOROUTINE STATE            FUNCTION, GO STATEMENT, LABELS
    0.1     0.0     0.0      4000     200 kB          1 select           main.a a.go:1
`,
	} {
		rows := Between(a, b, by)
		Sort(rows, "run")
		var s strings.Builder
		Print(&s, rows, by, time.Millisecond, 1)
		if s.String() != want {
			t.Errorf("by %d:\n%swant\n%s", by, s.String(), want)
		}
	}
}

func TestMalformed(t *testing.T) {
	for _, text := range []string{
		"", "goroutine profile: total 3\n", heading + "\n1\t2\t3\n", heading + "\n1\t2\tx\t4\t5\t6\trunning\tf\tp\t\n",
		heading + "\n1\t2\t3\t4\t5\t6\trunning\tf\tp\n",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

func TestAddresses(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"7/fd", "7/net"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"0": "/dev/null", "3": "socket:[111]", "4": "socket:[222]", "5": "socket:[333]"} {
		if err := os.Symlink(to, filepath.Join(dir, "7/fd", name)); err != nil {
			t.Fatal(err)
		}
	}
	const rest = " 00000000:00000000 00:00000000 00000000     0        0 "
	for name, text := range map[string]string{
		"tcp": "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n" +
			"   0: 0100007F:1F90 00000000:0000 0A" + rest + "111 1\n" +
			"   1: 0100007F:1F91 0100007F:1111 01" + rest + "222 1\n" + // a connection
			"   2: 00000000:0016 00000000:0000 0A" + rest + "999 1\n", // another process's
		"tcp6": "  sl  local_address remote_address st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n" +
			"   0: 00000000000000000000000000000000:17AC 00000000000000000000000000000000:0000 0A" + rest + "333 1\n" +
			"   1: B80D0120000000000000000001000000:0050 00000000000000000000000000000000:0000 0A" + rest + "222 1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, "7/net", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := addresses(dir, 7)
	want := []string{"127.0.0.1:6060", "127.0.0.1:8080", "[2001:db8::1]:80"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q %v, want %q", got, err, want)
	}
	if _, err := addresses(dir, 8); err == nil {
		t.Error("a process that there is not has addresses")
	}
}
