package debugtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

const delveVersion = "v1.27.2"

// delve returns delve's command: an installed one, or that of the module proxy, which is kept for
// the next time.
func delve(t *testing.T) string {
	t.Helper()
	if name, err := exec.LookPath("dlv"); err == nil {
		return name
	}
	dir := filepath.Join(os.TempDir(), "loam-delve-"+delveVersion)
	name := filepath.Join(dir, "dlv")
	if _, err := os.Stat(name); err == nil {
		return name
	}
	cmd := exec.Command("go", "install", "github.com/go-delve/delve/cmd/dlv@"+delveVersion)
	cmd.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=", "GOTOOLCHAIN=auto", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("delve cannot be had: %v: %s", err, out)
	}
	return name
}

// delveProgram is testdata/delve.go, not optimised.
func delveProgram(t *testing.T) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "program")
	loamtest.Do(t, loamtest.Command(t), "build", "-gcflags=all=-N -l", "-o", exe, "testdata/delve.go")
	return exe
}

var colours = regexp.MustCompile("\x1b\\[[0-9]*m")

// session runs commands in delve, and returns what it says.
func session(t *testing.T, args []string, commands ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "commands")
	if err := os.WriteFile(file, []byte(strings.Join(append(commands, "exit", ""), "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(delve(t), append(args, "--init", file, "--allow-non-terminal-interactive=true")...)
	cmd.Stdin = strings.NewReader("n\n") // the process that it has attached to is not to be killed
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %v", cmd.Args, err)
	}
	return colours.ReplaceAllString(string(out), "")
}

// TestDelve: breakpoints, values, steps and stacks.
func TestDelve(t *testing.T) {
	exe := delveProgram(t)
	out := session(t, []string{"exec", exe},
		"break main.show", "break main.bottom", "continue", "args -v", "next", "print local", "print l[1].y", `print m["one"]`,
		"print *t", "print p.val", "print len(c)", "stepout", "next", "print got", "print big[99]", "print len(big)",
		"break delve.go:44", "condition 3 i == 7", "continue", "stack 320", "goroutine", "clear 2", "continue", "print i",
		"print sum", "stack", "next")
	expect(t, out,
		`> \[Breakpoint 1\] main\.show\(\) .*delve\.go:26 \(hits goroutine\(1\):1 total:1\)`,
		`s = "text"`,
		`l = \[\]main\.point len: 2, cap: 2, \[\s*\{x: 3, y: 4\},\s*\{x: 5, y: 6\},?\s*\]`,
		`m = map\[string\]int \[\s*"one": 1,\s*\]`,
		`c = chan main\.point \{\s*qcount: 1,\s*dataqsiz: 4,`,
		`n = main\.names len: 2, cap: 2, \["a","b"\]`,
		`p = main\.pair\[string,int\] \{key: "k", val: 7\}`,
		`b = \[3\]bool \[true,false,false\]`,
		`e = error\(\*main\.failure\) \*\{code: 5\}`,
		`a = interface \{\}\(main\.point\) \{x: 8, y: 9\}`,
		`(?m)^6\n6\n1\nmain\.node \{`,
		`name: "list",\s+next: \*main\.node nil,\s+tags: map\[string\]int \[\s+"one": 1,`,
		`(?m)^7\n1\n`,
		`(?m)^6\nmain\.point \{x: 99, y: -99\}\n100\n`,
		`> \[Breakpoint 2\] main\.bottom\(\) .*delve\.go:39 \(hits goroutine\(\d+\):1 total:1\)`,
		`\n *\d+ .*in main\.main\.func1\n.*\n *\d+ .* in runtime\.goexit\n`, `in runtime\.stackhop\n`,
		`Goroutine \d+:\n\s+Runtime: .* main\.bottom`,
		`> \[Breakpoint 3\] main\.loop\(\) .*delve\.go:44`,
		`(?m)^7\n21\n0 .* in main\.loop\n.*\n1 .* in main\.main\n`,
		`main\.loop\(\) .*delve\.go:43`)
	for _, bad := range []string{"unreadable", "could not", "debugger error", "WARNING"} {
		if strings.Contains(out, bad) {
			t.Errorf("%q in\n%s", bad, out)
			break
		}
	}
}

// TestDelveFuncs: values of functions show as the function's name, and types as Go writes them.
func TestDelveFuncs(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "program")
	loamtest.Do(t, loamtest.Command(t), "build", "-gcflags=all=-N -l", "-o", exe, "testdata/delvefuncs.go")
	out := session(t, []string{"exec", exe}, "break main.show", "continue", "print f", "print *t", "print list", "print m", "print any",
		"whatis t.sum", "whatis t.h", "whatis list", "up", "print literal")
	expect(t, out, `(?m)^main\.main\.func1 \{\n\tn int = 5\n\}\nmain\.table \{name: "x", sum: main\.add(-v)?, h: main\.\(\*table\)\.text-fm, none: nil\}\n`,
		`\[\]func\(int\) string len: 3, cap: 3, \[main\.\(\*table\)\.text-fm,main\.main\.func2,nil\]`,
		`"one": main\.\(\*table\)\.text-fm`, `interface \{\}\(func\(\)\) main\.main\.func1`,
		`(?m)^func\(int, int\) int\n`, `(?m)^main\.handler\n`, `(?m)^\[\]func\(int\) string\n`, `main\.main\.func1 \{\n\tn int = 5\n\}\n$`)
}

// TestDelveOptimised: a program that is built plainly has lines, stacks, steps and arguments.
func TestDelveOptimised(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "program")
	loamtest.Do(t, loamtest.Command(t), "build", "-o", exe, "testdata/delve.go")
	out := session(t, []string{"exec", exe}, "break main.main", "continue", "stack", "next", "next")
	expect(t, out, `> \[Breakpoint 1\] main\.main\(\) .*delve\.go:\d+ \(hits goroutine\(1\):1 total:1\)`,
		`0 .* in main\.main\n.*\n\d .* in runtime\.main\n.*\n\d .* in runtime\.goexit\n`)
}

// TestDelveAttach: delve attaches to a program that runs.
func TestDelveAttach(t *testing.T) {
	cmd := exec.Command(delveProgram(t), "wait")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	delve(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	bufio.NewReader(out).ReadString('\n')
	text := session(t, []string{"attach", strconv.Itoa(cmd.Process.Pid)}, "break main.waits", "continue", "args", "stack")
	if strings.Contains(text, "could not attach") {
		t.Skip(text)
	}
	expect(t, text, `> \[Breakpoint 1\] main\.waits\(\)`, `tick = \d+`, `1 .* in main\.main`)
}

// TestDAP: an editor's session.
func TestDAP(t *testing.T) {
	exe := delveProgram(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	cmd := exec.Command(delve(t), "dap", "--client-addr", listener.Addr().String())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	d := &dap{t: t, conn: conn, reader: bufio.NewReader(conn)}
	d.ask("initialize", `{"adapterID": "go"}`)
	d.ask("launch", fmt.Sprintf(`{"mode": "exec", "program": %q}`, exe))
	d.ask("setFunctionBreakpoints", `{"breakpoints": [{"name": "main.show"}]}`)
	d.ask("configurationDone", `{}`)
	stopped := d.event("stopped")
	thread := stopped["threadId"]
	var stack struct {
		StackFrames []struct {
			ID, Line int
			Name     string
		}
	}
	d.into(d.ask("stackTrace", fmt.Sprintf(`{"threadId": %v}`, thread)), &stack)
	if f := stack.StackFrames; len(f) < 2 || f[0].Name != "main.show" || f[0].Line != 26 || f[1].Name != "main.main" {
		t.Fatalf("the stack is %+v", stack)
	}
	var scopes struct {
		Scopes []struct {
			Name               string
			VariablesReference int
		}
	}
	d.into(d.ask("scopes", fmt.Sprintf(`{"frameId": %d}`, stack.StackFrames[0].ID)), &scopes)
	var variables struct {
		Variables []struct{ Name, Value, Type string }
	}
	d.into(d.ask("variables", fmt.Sprintf(`{"variablesReference": %d}`, scopes.Scopes[0].VariablesReference)), &variables)
	found := map[string]string{}
	for _, v := range variables.Variables {
		found[v.Name] = v.Value
	}
	for name, want := range map[string]string{
		"s": `"text"`, "l": "[]main.point len: 2, cap: 2, [{x: 3, y: 4},{x: 5, y: 6}]", "m": `map[string]int ["one": 1, ]`,
	} {
		if found[name] != want {
			t.Errorf("%s is %s, want %s", name, found[name], want)
		}
	}
	d.ask("next", fmt.Sprintf(`{"threadId": %v}`, thread))
	d.event("stopped")
	d.ask("disconnect", `{"terminateDebuggee": true}`)
}

// dap is a client of the debug adapter protocol.
type dap struct {
	t      *testing.T
	conn   net.Conn
	reader *bufio.Reader
	seq    int
	events []message
}

type message struct {
	Type, Event, Command, Message string
	Success                       bool
	RequestSeq                    int `json:"request_seq"`
	Body                          json.RawMessage
}

// ask sends a request, and returns the body of the response.
func (d *dap) ask(command, arguments string) json.RawMessage {
	d.t.Helper()
	d.seq++
	text := fmt.Sprintf(`{"seq": %d, "type": "request", "command": %q, "arguments": %s}`, d.seq, command, arguments)
	fmt.Fprintf(d.conn, "Content-Length: %d\r\n\r\n%s", len(text), text)
	for {
		m := d.read()
		if m.Type == "event" {
			d.events = append(d.events, m)
		} else if m.RequestSeq == d.seq {
			if !m.Success {
				d.t.Fatalf("%s: %s %s", command, m.Message, m.Body)
			}
			return m.Body
		}
	}
}

// event waits for an event.
func (d *dap) event(name string) (body map[string]any) {
	d.t.Helper()
	for {
		for len(d.events) > 0 {
			m := d.events[0]
			d.events = d.events[1:]
			if m.Event == name {
				d.into(m.Body, &body)
				return body
			}
		}
		d.events = append(d.events, d.read())
	}
}

func (d *dap) read() (m message) {
	d.t.Helper()
	length := 0
	for {
		line, err := d.reader.ReadString('\n')
		if err != nil {
			d.t.Fatal(err)
		}
		if line = strings.TrimSpace(line); line == "" {
			break
		}
		fmt.Sscanf(line, "Content-Length: %d", &length)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(d.reader, text); err != nil {
		d.t.Fatal(err)
	}
	d.into(text, &m)
	return m
}

func (d *dap) into(text []byte, to any) {
	d.t.Helper()
	if err := json.Unmarshal(text, to); err != nil {
		d.t.Fatalf("%v: %s", err, text)
	}
}
