package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// topProgram is a program that serves its profiles and prints where; three goroutines work, one of
// them with a label.
const topProgram = `package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime/pprof"
	"time"
)

//go:noinline
func working() {
	for x := 1; ; x++ {
		_ = x * x
	}
}

func main() {
	go working()
	go working()
	go pprof.Do(context.Background(), pprof.Labels("kind", "special"), func(context.Context) { working() })
	time.AfterFunc(2*time.Minute, func() { os.Exit(3) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	panic(http.Serve(l, nil))
}
`

func TestTop(t *testing.T) {
	loam := loamtest.Command(t)
	source := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(source, []byte(topProgram), 0o666); err != nil {
		t.Fatal(err)
	}
	program := exec.Command(loamtest.Build(t, loam, source))
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { program.Process.Kill(); program.Wait() }()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = "http://" + strings.TrimSpace(address)
	pid := strconv.Itoa(program.Process.Pid)

	// what does not serve the profile
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	go http.Serve(other, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello\n") }))

	sleeper := exec.Command("sleep", "120")
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { sleeper.Process.Kill(); sleeper.Wait() }()

	for _, c := range []struct {
		args string
		code int
		want string // a regular expression
	}{
		{"-count 1 " + pid, 0, `(?s)^in 1\.?\d*s: [1-9].* RUN % .*FUNCTION, GO STATEMENT\n( +[1-9]\S* .* [12] main\.(working|main\.gowrap\S*|main\.func\S*) main\.go:\d+\n){2}`},
		{"-count 2 -delay 300ms -rows 1 " + address, 0, `(?s)^in .* RUN % [^\n]*\n[^\n]+\n\nin .* RUN % [^\n]*\n[^\n]+\n$`},
		{"-count 1 -by goroutine " + address + "/debug/pprof/", 0, `(?m)^ +[1-9].* \d+ (running|runnable) +main\.working main\.go:\d+$`},
		{"-count 1 -by label " + address, 0, `(?m)^ +[1-9].* 1 "kind":"special"$`},
		{"-count 1 -sort turns " + address, 0, `TURNS`},
		{"", 2, `name a program by its process's number or its address`},
		{pid + " " + pid, 2, `name a program by`},
		{"-by thread " + pid, 2, `-by=thread: none of goroutine, statement, label`},
		{"-sort size " + pid, 2, `-sort=size: none of run, wait`},
		{"-rows 0 " + pid, 2, `have to be above 0`},
		{"program", 1, `program: neither the number of a process nor an address`},
		{"http://127.0.0.1:1", 1, `connection refused`},
		{"http://" + other.Addr().String(), 1, `not the profile usage of a program made by Loam`},
		{strconv.Itoa(os.Getpid()), 1, `serves the profile usage nowhere: .*not the profile usage`},
		{strconv.Itoa(sleeper.Process.Pid), 1, `listens nowhere: a program that is to be watched serves net/http/pprof`},
		{"999999999", 1, `no such file`},
	} {
		out, err := exec.Command(loam, append([]string{"top"}, strings.Fields(c.args)...)...).CombinedOutput()
		code := 0
		if ended, ok := err.(*exec.ExitError); ok {
			code = ended.ExitCode()
		}
		if code != c.code || !regexp.MustCompile(c.want).Match(out) {
			t.Errorf("loam top %s: exit code %d, want %d and %s\n%s", c.args, code, c.code, c.want, out)
		}
	}
}
