package proftest

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// pprof runs the installed tool, which has to succeed without a warning, and returns what it
// prints.
func pprof(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"tool", "pprof"}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
	if err := cmd.Run(); err != nil {
		t.Fatalf("pprof %q: %v\n%s", args, err, &stderr)
	}
	for line := range strings.Lines(stderr.String()) {
		if !strings.HasPrefix(line, "Fetching profile over HTTP") && !strings.HasPrefix(line, "Saved profile in") {
			t.Errorf("pprof %q: %s", args, line)
		}
	}
	return stdout.String()
}

// match fails the test if text has no line that the regular expression matches.
func match(t *testing.T, what, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !regexp.MustCompile("(?m)" + line).MatchString(text) {
			t.Errorf("%s: no line matches %s in\n%s", what, line, loamtest.Clip(text))
		}
	}
}

// TestProfiles reads every profile of a program with every form of the tool.
func TestProfiles(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/profiles.go")
	dir := t.TempDir()
	if out, state := loamtest.Run(t, time.Minute, nil, exe, dir); !state.Success() {
		t.Fatalf("%v\n%s", state, loamtest.Clip(out))
	}
	file := func(name string) string { return filepath.Join(dir, name) }
	top := map[string][]string{
		// flat and cumulative values of the function that it is about
		"cpu":          {`main\.spin$`, `main\.square \(inline\)$`, `main\.main\.func1`},
		"heap":         {`main\.keep$`},
		"allocs":       {`main\.keep$`},
		"goroutine":    {`^ +5 .* main\.park$`},
		"block":        {`^ *[1-9]\S* .* sync\.\(\*Mutex\)\.Lock`, `runtime\.chanrecv`, `main\.wait`},
		"mutex":        {`^ *[1-9]\S* .* sync\.\(\*Mutex\)\.Unlock`, `main\.hold`},
		"threadcreate": {`^Type: threadcreate`},
		"stackgrowth":  {`^Type: hops`, `main\.grow$`},
		"usage":        {`^Type: run`, `main\.main\.func1\.1$`, `runtime\.main$`},
	}
	for name, want := range top {
		match(t, name+" -top", pprof(t, "-top", "-nodecount=1000", "-nodefraction=0", file(name+".0")), want...)
		pprof(t, "-raw", file(name+".0"))
		pprof(t, "-traces", file(name+".0"))
	}
	// Lines: the work is in these, and nowhere else in the function.
	match(t, "cpu -list", pprof(t, "-list", `main\.spin`, file("cpu.0")), `^ +\S+ +\S+ +\d+:\t\t\tn \+= square\(i\)$`,
		`^ +\. +\. +\d+:\treturn n$`)
	std := pprof(t, "-list", `^slices\.(partition|insertionSort)Ordered`, file("cpu.0"))
	if n := len(regexp.MustCompile(`(?m)^ +\d\S+ +\S+ +\d+:`).FindAllString(std, -1)); n < 2 {
		t.Errorf("time in package slices is in %d lines:\n%s", n, loamtest.Clip(std))
	}
	match(t, "heap -list", pprof(t, "-list", `main\.keep`, file("heap.0")), `^ .*kB .*kept = append\(kept, make`)
	match(t, "cpu -tags", pprof(t, "-tags", file("cpu.0")), `work: Total`, `: spinning$`)
	match(t, "stackgrowth -traces", pprof(t, "-sample_index=frames", "-traces", "-focus=grow", file("stackgrowth.0")), `main\.grow`)
	// The text forms.
	for name, want := range map[string]string{
		"goroutine.1":   `^5 @ .*\n#.*main\.park\+0x`,
		"goroutine.2":   `^goroutine \d+ \[chan receive\]:\nmain\.park`,
		"heap.1":        `^heap profile: `,
		"block.1":       `^--- contention:`,
		"mutex.1":       `^--- mutex:`,
		"stackgrowth.1": `^stack growth profile: \d+ stacks`,
		"usage.1":       `^usage profile: \d+ lines`,
	} {
		text, err := os.ReadFile(file(name))
		if err != nil {
			t.Fatal(err)
		}
		match(t, name, string(text), want)
	}
	testWebPages(t, file("cpu.0"))
}

// testWebPages asks go tool pprof -http for its pages.
func testWebPages(t *testing.T, profile string) {
	address := serveWeb(t, profile)
	for address == "" {
		address = serveWeb(t, profile)
	}
	for _, page := range []string{"/ui/flamegraph", "/ui/top", "/ui/peek?f=main.spin", "/ui/disasm?f=main.spin", "/ui/source?f=main.spin"} {
		if body := get(t, "http://"+address+page); !strings.Contains(body, "main.spin") {
			t.Errorf("%s does not show main.spin", page)
		}
	}
}

// serveWeb starts the tool, which ends with the test, and returns where it serves; "" if it has
// ended, as another process has taken the port meanwhile: the tool does not tell which it takes.
func serveWeb(t *testing.T, profile string) (address string) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = free.Addr().String()
	free.Close()
	cmd := exec.Command("go", "tool", "pprof", "-http="+address, "-no_browser", profile)
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = cmd.Stderr
	// the go command's child, pprof, is to end with it
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); cmd.Wait() })
	serves, said := false, ""
	in := bufio.NewScanner(out)
	for !serves && in.Scan() {
		said += in.Text() + "\n"
		serves = strings.Contains(in.Text(), "Serving web UI on ")
	}
	ended := make(chan bool)
	go func() {
		for in.Scan() {
			said += in.Text() + "\n"
		}
		close(ended)
	}()
	for { // it says so before it does
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return address
		}
		select {
		case <-ended:
			if !strings.Contains(said, "address already in use") {
				t.Fatalf("the tool has ended:\n%s", said)
			}
			return ""
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 {
		t.Fatalf("%s: %s %v", url, r.Status, err)
	}
	return string(body)
}

// TestHTTP asks a running server for its profiles, as a browser and as the tool.
func TestHTTP(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/serve.go")
	cmd := exec.Command(exe)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err = cmd.StdinPipe(); err != nil { // it ends with the test
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	base := "http://" + strings.TrimSpace(address) + "/debug/pprof/"
	match(t, "index", get(t, base), "stackgrowth", "threadcreate", "further stack segment", "What goroutines used")
	match(t, "cmdline", get(t, base+"cmdline"), regexp.QuoteMeta(exe))
	match(t, "goroutine", get(t, base+"goroutine?debug=2"), `^goroutine \d+ \[running\]:$`, `^main\.main\(`)
	match(t, "symbol", get(t, base+"symbol?"+symbolOf(t, exe)), `main\.busy$`)
	get(t, base+"stackgrowth?debug=1") // starts it
	get(t, base+"usage?debug=1")       // and this
	for profile, want := range map[string]string{
		"profile?seconds=1":     `main\.busy$`,
		"heap":                  `^Type: inuse_space`,
		"heap?gc=1":             `^Type: inuse_space`,
		"allocs":                `^Type: alloc_space`,
		"goroutine":             `^Type: goroutine`,
		"block":                 `sync\.\(\*Mutex\)\.Lock`,
		"block?seconds=1":       `sync\.\(\*Mutex\)\.Lock`,
		"mutex":                 `sync\.\(\*Mutex\)\.Unlock`,
		"threadcreate":          `^Type: threadcreate`,
		"stackgrowth?seconds=1": `main\.deep$`,
		"usage?seconds=1":       `^ *[1-9]\S* .* main\.main\.func\d$`,
	} {
		// In a second the program may have had no processor.
		top := ""
		for range 30 {
			if top = pprof(t, "-top", "-nodecount=1000", "-nodefraction=0", base+profile); regexp.MustCompile("(?m)" + want).MatchString(top) {
				break
			}
		}
		match(t, profile, top, want)
	}
}

// symbolOf returns an address in main.busy.
func symbolOf(t *testing.T, exe string) string {
	t.Helper()
	for line := range strings.Lines(loamtest.Do(t, "go", "tool", "nm", exe)) {
		if f := strings.Fields(line); len(f) == 3 && f[2] == "main.busy" {
			return "0x" + f[0]
		}
	}
	t.Fatal("no symbol main.busy")
	return ""
}

// TestTestFlags lets a test binary write its profiles.
func TestTestFlags(t *testing.T) {
	loam := loamtest.Command(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example\n\ngo 1.26\n",
		"x_test.go": `package x

import ("sync"; "testing"; "time")

var sink []byte

func BenchmarkWork(b *testing.B) {
	var mu sync.Mutex
	for range b.N {
		mu.Lock()
		go func() { time.Sleep(time.Microsecond); mu.Unlock() }()
		mu.Lock()
		sink = make([]byte, 1000)
		mu.Unlock()
	}
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(loam, "test", "-bench=.", "-benchtime=0.3s", "-memprofilerate=1", "-cpuprofile=cpu",
		"-memprofile=mem", "-blockprofile=block", "-mutexprofile=mutex")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, want := range map[string]string{"cpu": `^Type: cpu`, "mem": `BenchmarkWork`, "block": `BenchmarkWork`,
		"mutex": `BenchmarkWork`} {
		match(t, name, pprof(t, "-top", "-nodecount=1000", "-nodefraction=0", filepath.Join(dir, name)), want)
	}
}

// TestOutOfLine knows the functions of the barrier's slow paths, and reads a profile of them when
// the program is gone.
func TestOutOfLine(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/outofline.go")
	file := filepath.Join(t.TempDir(), "cpu")
	if out, state := loamtest.Run(t, time.Minute, nil, exe, file); !state.Success() || out != "ok\n" {
		t.Fatalf("%v\n%s", state, loamtest.Clip(out))
	}
	if err := os.Remove(exe); err != nil {
		t.Fatal(err)
	}
	match(t, "top", pprof(t, "-top", "-nodecount=1000", "-nodefraction=0", file), `main\.store$`)
}

// TestNoFrame has functions without a frame below their callers in stacks and profiles.
func TestNoFrame(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/noframe.go")
	file := filepath.Join(t.TempDir(), "cpu")
	if out, state := loamtest.Run(t, time.Minute, nil, exe, file); !state.Success() || out != "ok\n" {
		t.Fatalf("%v\n%s", state, loamtest.Clip(out))
	}
	count := map[string]int{}
	for trace := range strings.SplitSeq(pprof(t, "-traces", file), "-----------+") {
		m := regexp.MustCompile(`main\.(index|reversed)\n *(\S*\n *\S*)`).FindStringSubmatch(trace)
		if m == nil {
			continue
		}
		if count[m[1]]++; strings.Join(strings.Fields(m[2]), " ") != "main.spin main.around" {
			t.Errorf("main.%s is called by %s", m[1], m[2])
		}
	}
	if count["index"] == 0 || count["reversed"] == 0 {
		t.Errorf("too few samples: %v", count)
	}
}

// TestStacks runs a program that checks stacks itself.
func TestStacks(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/stacks.go")
	if out, state := loamtest.Run(t, time.Minute, nil, exe); !state.Success() || out != "ok\n" {
		t.Errorf("%v\n%s", state, loamtest.Clip(out))
	}
}

// TestDepths has the callers of allocations looked up at every depth of the stack, in a program
// that is not optimised.
func TestDepths(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "depths")
	loamtest.Do(t, loamtest.Command(t), "build", "-gcflags=all=-N -l", "-o", exe, "testdata/depths.go")
	if out, state := loamtest.Run(t, time.Minute, []string{"GODEBUG=memprofilerate=1"}, exe); !state.Success() || out != "44850\n" {
		t.Errorf("%v\n%s", state, loamtest.Clip(out))
	}
}
