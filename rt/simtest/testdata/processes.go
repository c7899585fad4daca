// Processes starts processes of its own program, and prints what came of it. A name of a check as
// argument makes it alone; "child" says what a process is to do.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == "child" {
		children[os.Args[2]](os.Args[3:])
		return
	}
	dir, err := os.MkdirTemp("", "processes")
	must(err)
	defer os.RemoveAll(dir)
	must(os.Setenv("TMPDIR", dir))
	for _, c := range checks {
		if len(os.Args) == 1 && c.fails || len(os.Args) > 1 && !slices.Contains(os.Args[1:], c.name) {
			continue
		}
		fmt.Printf("%s: %s\n", c.name, c.run())
	}
}

// child is a command that runs this program as a child.
func child(name string, args ...string) *exec.Cmd {
	return exec.Command(os.Args[0], append([]string{"child", name}, args...)...)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

type check struct {
	name  string
	run   func() string
	fails bool // the run ends by it
}

var checks = []check{
	{name: "output", run: func() string {
		out, err := child("say", "one", "two words").Output()
		return fmt.Sprintf("%q %v", out, err)
	}},
	{name: "itself", run: func() string {
		exe, err := os.Executable()
		must(err)
		out, err := exec.Command(exe, "child", "self").Output()
		must(err)
		return string(out)
	}},
	{name: "environment", run: func() string {
		c := child("env")
		c.Env = []string{"HOME=/x", "A=b", "EMPTY="}
		c.Dir = "/"
		out, err := c.Output()
		must(err)
		return string(out)
	}},
	{name: "stdin", run: func() string {
		c := child("copy")
		c.Stdin = strings.NewReader(strings.Repeat("0123456789abcdef", 20_000)) // more than a pipe has room for
		out, err := c.Output()
		must(err)
		return fmt.Sprintf("%d %x", len(out), sha256.Sum256(out))
	}},
	{name: "conversation", run: func() string {
		c := child("upper")
		in, err := c.StdinPipe()
		must(err)
		out, err := c.StdoutPipe()
		must(err)
		must(c.Start())
		r := bufio.NewReader(out)
		said := ""
		for _, word := range []string{"a", "b", "c"} {
			fmt.Fprintln(in, word)
			line, err := r.ReadString('\n')
			must(err)
			said += strings.TrimSpace(line)
		}
		must(in.Close())
		rest, err := io.ReadAll(r)
		must(err)
		return fmt.Sprintf("%s, %q, %v", said, rest, c.Wait())
	}},
	{name: "pipeline", run: func() string {
		first, second := child("numbers", "20000"), child("count")
		var err error
		second.Stdin, err = first.StdoutPipe()
		must(err)
		var out bytes.Buffer
		second.Stdout = &out
		must(first.Start())
		must(second.Start())
		err = errors.Join(first.Wait(), second.Wait())
		return fmt.Sprintf("%s, %v", strings.TrimSpace(out.String()), err)
	}},
	{name: "many", run: func() string {
		var wg sync.WaitGroup
		sums := make([]string, 5)
		for i := range sums {
			wg.Go(func() {
				out, err := child("say", fmt.Sprint(i)).Output()
				must(err)
				sums[i] = strings.TrimSpace(string(out))
			})
		}
		wg.Wait()
		return fmt.Sprint(sums)
	}},
	{name: "status", run: func() string {
		var all []string
		for _, how := range []string{"0", "1", "3", "255"} {
			err := child("exit", how).Run()
			code := 0
			if e := (*exec.ExitError)(nil); errors.As(err, &e) {
				code = e.ExitCode()
			}
			all = append(all, fmt.Sprint(code))
		}
		return strings.Join(all, " ")
	}},
	{name: "crash", run: func() string {
		c := child("crash")
		var said bytes.Buffer
		c.Stderr = &said
		err := c.Run()
		first, _, _ := strings.Cut(said.String(), "\n")
		return fmt.Sprint(first, ", ", err)
	}},
	{name: "kill", run: func() string {
		c := child("sleep")
		must(c.Start())
		must(c.Process.Kill())
		err := c.Wait()
		s := c.ProcessState.Sys().(syscall.WaitStatus)
		return fmt.Sprint(err, ", ", s.Signaled(), " ", s.Signal(), ", ", c.Process.Kill())
	}},
	{name: "quit", run: func() string { // its stacks come by a pipe
		c := child("sleep")
		var said bytes.Buffer
		c.Stderr = &said
		must(c.Start())
		time.Sleep(time.Second)
		must(c.Process.Signal(syscall.SIGQUIT))
		err := c.Wait()
		first, _, _ := strings.Cut(said.String(), "\n")
		return fmt.Sprint(first, ", ", err)
	}},
	{name: "format", run: func() string {
		var all []string
		for _, text := range []string{"", "#", "true\n"} {
			name := filepath.Join(os.TempDir(), "text")
			must(os.WriteFile(name, []byte(text), 0o700))
			err := exec.Command(name).Run()
			all = append(all, fmt.Sprint(errors.Is(err, syscall.ENOEXEC)))
		}
		return strings.Join(all, " ")
	}},
	{name: "context", run: func() string {
		began := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		c := exec.CommandContext(ctx, os.Args[0], "child", "sleep")
		err := c.Run()
		took := time.Since(began)
		return fmt.Sprint(err, ", ", took >= time.Second && took < 2*time.Second, " ", ctx.Err())
	}},
	{name: "signal", run: func() string {
		c := child("signalled")
		out, err := c.StdoutPipe()
		must(err)
		must(c.Start())
		r := bufio.NewReader(out)
		line, err := r.ReadString('\n')
		must(err)
		must(c.Process.Signal(syscall.SIGTERM))
		rest, err := io.ReadAll(r)
		must(err)
		return fmt.Sprintf("%q %q %v", line, rest, c.Wait())
	}},
	{name: "stop", run: func() string {
		said := ""
		for range 3 {
			c := child("awake")
			out, err := c.StdoutPipe()
			must(err)
			must(c.Start())
			r := bufio.NewReader(out)
			line, err := r.ReadString('\n')
			must(err)
			must(c.Process.Signal(syscall.SIGSTOP))
			out.(*os.File).SetReadDeadline(time.Now().Add(time.Second))
			_, err = r.ReadString('\n')
			said += fmt.Sprint(strings.TrimSpace(line), " ", errors.Is(err, os.ErrDeadlineExceeded))
			out.(*os.File).SetReadDeadline(time.Time{})
			must(c.Process.Signal(syscall.SIGCONT))
			must(c.Process.Signal(syscall.SIGSTOP))
			must(c.Process.Signal(syscall.SIGCONT))
			rest, err := io.ReadAll(r)
			said += fmt.Sprintf(" %q %v %v, ", rest, err, c.Wait())
		}
		c := child("sleep")
		must(c.Start())
		must(c.Process.Signal(syscall.SIGTSTP))
		time.Sleep(time.Second)
		must(c.Process.Kill())
		return said + fmt.Sprint(c.Wait())
	}},
	{name: "stopped", fails: true, run: func() string { // nobody lets it go on
		c := child("sleep")
		must(c.Start())
		must(c.Process.Signal(syscall.SIGSTOP))
		return fmt.Sprint(c.Wait())
	}},
	{name: "sigchld", run: func() string {
		ch := make(chan os.Signal, 1)
		signal.Notify(ch, syscall.SIGCHLD)
		defer signal.Stop(ch)
		c := child("exit", "0")
		must(c.Start())
		got := <-ch
		return fmt.Sprint(got, ", ", c.Wait())
	}},
	{name: "group", run: func() string {
		c := child("parent")
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		out, err := c.StdoutPipe()
		must(err)
		must(c.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		must(err)
		must(syscall.Kill(-c.Process.Pid, syscall.SIGKILL))
		_, err = io.ReadAll(out) // the child's child had it, too
		return fmt.Sprintf("%q %v, %v", line, err, c.Wait())
	}},
	{name: "any", run: func() string {
		pids := map[int]bool{}
		for i := range 3 {
			p, err := os.StartProcess("/proc/self/exe", []string{"x", "child", "exit", fmt.Sprint(i)}, &os.ProcAttr{})
			must(err)
			pids[p.Pid] = true
		}
		codes := 0
		for range 3 {
			var s syscall.WaitStatus
			pid, err := syscall.Wait4(-1, &s, 0, nil)
			must(err)
			if !pids[pid] {
				return "an unknown process"
			}
			codes += s.ExitStatus()
		}
		_, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		return fmt.Sprint(codes, " ", err)
	}},
	{name: "dial", run: func() string {
		var all []string
		for _, network := range []string{"tcp", "unix", "udp"} {
			c := child("listen", network)
			out, err := c.StdoutPipe()
			must(err)
			must(c.Start())
			address, err := bufio.NewReader(out).ReadString('\n')
			must(err)
			conn, err := net.Dial(network, strings.TrimSpace(address))
			must(err)
			fmt.Fprint(conn, "ping")
			b := make([]byte, 100)
			n, err := conn.Read(b)
			must(err)
			end := io.EOF
			if network != "udp" {
				_, end = conn.Read(b[n:])
			}
			must(conn.Close())
			all = append(all, fmt.Sprintf("%s %q %v %v", network, b[:n], end, c.Wait()))
			_, err = net.Dial("tcp", strings.TrimSpace(address))
			if network == "tcp" {
				all = append(all, fmt.Sprint(errors.Is(err, syscall.ECONNREFUSED)))
			}
		}
		return strings.Join(all, ", ")
	}},
	{name: "serve", run: func() string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		must(err)
		c := child("dial", l.Addr().String())
		must(c.Start())
		conn, err := l.Accept()
		must(err)
		text, err := io.ReadAll(conn) // the child ends without closing it
		must(err)
		_, busy := net.Listen("tcp", l.Addr().String())
		must(l.Close())
		return fmt.Sprintf("%q %v %v", text, c.Wait(), errors.Is(busy, syscall.EADDRINUSE))
	}},
	{name: "port", run: func() string {
		l, err := net.Listen("tcp", "127.0.0.1:7777")
		must(err)
		defer l.Close()
		out, err := child("bind", "127.0.0.1:7777").Output()
		must(err)
		return string(out)
	}},
	{name: "exclusive", run: func() string {
		name := filepath.Join(os.TempDir(), "exclusive")
		c := child("exclusive", name)
		out, err := c.StdoutPipe()
		must(err)
		must(c.Start())
		f, own := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if own == nil {
			f.Close()
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		must(err)
		must(c.Wait())
		return fmt.Sprint((own == nil) != (line == "made\n"))
	}},
	{name: "flock", run: func() string {
		name := filepath.Join(os.TempDir(), "counter")
		must(os.WriteFile(name, []byte("0"), 0o600))
		var all []*exec.Cmd
		for range 3 {
			c := child("increment", name, "5")
			must(c.Start())
			all = append(all, c)
		}
		increment(name, 5)
		for _, c := range all {
			must(c.Wait())
		}
		text, err := os.ReadFile(name)
		must(err)
		return string(text)
	}},
	{name: "lost", run: func() string { // a process that is killed loses its lock
		name := filepath.Join(os.TempDir(), "lost")
		c := child("hold", name)
		out, err := c.StdoutPipe()
		must(err)
		must(c.Start())
		_, err = bufio.NewReader(out).ReadString('\n')
		must(err)
		f, err := os.Open(name)
		must(err)
		defer f.Close()
		first := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		go func() {
			time.Sleep(time.Millisecond)
			c.Process.Kill()
		}()
		second := syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		c.Wait()
		return fmt.Sprint(first, ", ", second)
	}},
	{name: "offset", run: func() string { // who has a file from another process shares its place
		f, err := os.Create(filepath.Join(os.TempDir(), "offset"))
		must(err)
		fmt.Fprint(f, "one ")
		c := child("write", "two ")
		c.Stdout = f
		must(c.Run())
		fmt.Fprint(f, "three")
		must(f.Close())
		text, err := os.ReadFile(f.Name())
		must(err)
		return string(text)
	}},
	{name: "extra", run: func() string {
		r, w, err := os.Pipe()
		must(err)
		c := child("extra")
		c.ExtraFiles = []*os.File{w}
		must(c.Start())
		must(w.Close())
		text, err := io.ReadAll(r)
		must(err)
		return fmt.Sprintf("%q %v", text, c.Wait())
	}},
	{name: "fifo", run: func() string {
		name := filepath.Join(os.TempDir(), "fifo")
		must(syscall.Mkfifo(name, 0o600))
		c := child("tofifo", name)
		must(c.Start())
		text, err := os.ReadFile(name)
		must(err)
		return fmt.Sprintf("%q %v", text, c.Wait())
	}},
	{name: "brokenpipe", run: func() string {
		r, w, err := os.Pipe()
		must(err)
		c := child("numbers", "1000000")
		c.Stdout = w
		must(c.Start())
		must(w.Close())
		b := make([]byte, 10)
		_, err = io.ReadFull(r, b)
		must(err)
		must(r.Close())
		return fmt.Sprintf("%q %v", b, c.Wait())
	}},
	{name: "grandchild", run: func() string {
		out, err := child("grandchild").Output()
		must(err)
		return string(out)
	}},
	{name: "orphan", run: func() string {
		c := child("orphan")
		out, err := c.StdoutPipe()
		must(err)
		must(c.Start())
		text, err := io.ReadAll(out) // until the child's child ends, too
		must(err)
		return fmt.Sprintf("%q %v", text, c.Wait())
	}},
	{name: "fate", run: func() string {
		c := child("fate")
		out, err := c.StdoutPipe()
		must(err)
		must(c.Start())
		text, err := io.ReadAll(out)
		must(err)
		return fmt.Sprintf("%q %v", text, c.Wait())
	}},
	{name: "copied", run: func() string { // a program that the program has made
		exe, err := os.Executable()
		must(err)
		text, err := os.ReadFile(exe)
		must(err)
		name := filepath.Join(os.TempDir(), "copied")
		must(os.WriteFile(name, text, 0o755))
		out, err := exec.Command(name, "child", "self").Output()
		must(err)
		return string(out)
	}},
	{name: "errors", run: func() string {
		_, err1 := exec.Command("no such program").Output()
		name := filepath.Join(os.TempDir(), "data")
		must(os.WriteFile(name, []byte("data"), 0o644))
		err2 := (&exec.Cmd{Path: name}).Run()
		c := child("say")
		c.Dir = "/no/such/directory"
		return fmt.Sprint(err1, ", ", errors.Is(err2, os.ErrPermission), ", ", c.Run())
	}},
	{fails: true, name: "deadlock", run: func() string {
		c := child("read")
		_, err := c.StdinPipe() // nobody writes, or closes it
		must(err)
		return fmt.Sprint(c.Run())
	}},
	{fails: true, name: "shell", run: func() string { return fmt.Sprint(exec.Command("/bin/sh", "-c", "true").Run()) }},
	{fails: true, name: "socket", run: func() string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		must(err)
		f, err := l.(*net.TCPListener).File()
		must(err)
		c := child("say")
		c.ExtraFiles = []*os.File{f}
		return fmt.Sprint(c.Run())
	}},
	{fails: true, name: "credential", run: func() string {
		c := child("say")
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 7, Gid: 7}}
		return fmt.Sprint(c.Run())
	}},
	{fails: true, name: "escape", run: func() string { return fmt.Sprint(child("escape").Run()) }},
	{fails: true, name: "forever", run: func() string { return fmt.Sprint(child("yield").Run()) }},
	{fails: true, name: "leak", run: func() string { return fmt.Sprint(child("leak").Run()) }},
}

func increment(name string, times int) {
	for range times {
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		must(err)
		must(syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
		n := 0
		fmt.Fscan(f, &n)
		must(f.Truncate(0))
		_, err = f.WriteAt(fmt.Append(nil, n+1), 0)
		must(err)
		must(f.Close())
	}
}

// children are what processes do.
var children = map[string]func(args []string){
	"say": func(args []string) { fmt.Println(strings.Join(args, "|")) },
	"self": func([]string) {
		exe, err := os.Executable()
		fmt.Print(filepath.Base(exe), " ", err, " ", exe == os.Args[0], " ", os.Getpid() != os.Getppid(), " ", proc())
	},
	"env": func([]string) {
		dir, err := os.Getwd()
		fmt.Print(len(os.Environ()), os.Environ()[len(os.Environ())-2:], " ", dir, " ", err)
	},
	"copy": func([]string) { io.Copy(os.Stdout, os.Stdin) },
	"upper": func([]string) {
		for s := bufio.NewScanner(os.Stdin); s.Scan(); {
			fmt.Println(strings.ToUpper(s.Text()))
		}
		fmt.Println("end")
	},
	"numbers": func(args []string) {
		n := 0
		fmt.Sscan(args[0], &n)
		w := bufio.NewWriter(os.Stdout)
		for i := range n {
			fmt.Fprintln(w, i)
		}
		w.Flush()
	},
	"count": func([]string) {
		n := 0
		for s := bufio.NewScanner(os.Stdin); s.Scan(); n++ {
		}
		fmt.Println(n)
	},
	"exit": func(args []string) {
		code := 0
		fmt.Sscan(args[0], &code)
		os.Exit(code)
	},
	"crash": func([]string) { panic("a process crashes") },
	"sleep": func([]string) { time.Sleep(time.Hour) },
	"awake": func([]string) {
		fmt.Println("ready")
		time.Sleep(300 * time.Millisecond)
		fmt.Println("awake")
	},
	"signalled": func([]string) {
		ch := make(chan os.Signal, 1)
		signal.Notify(ch, syscall.SIGTERM)
		fmt.Println("ready")
		fmt.Println(<-ch)
	},
	"parent": func([]string) {
		c := child("sleep")
		c.Stdout = os.Stdout
		must(c.Start())
		fmt.Println("started")
		c.Wait()
	},
	"listen": func(args []string) {
		switch args[0] {
		case "udp":
			c, err := net.ListenPacket("udp", "127.0.0.1:0")
			must(err)
			fmt.Println(c.LocalAddr())
			b := make([]byte, 100)
			n, from, err := c.ReadFrom(b)
			must(err)
			_, err = c.WriteTo(append([]byte("got "), b[:n]...), from)
			must(err)
		default:
			address := "127.0.0.1:0"
			if args[0] == "unix" {
				address = filepath.Join(os.TempDir(), "socket")
			}
			l, err := net.Listen(args[0], address)
			must(err)
			fmt.Println(l.Addr())
			c, err := l.Accept()
			must(err)
			b := make([]byte, 4)
			_, err = io.ReadFull(c, b)
			must(err)
			fmt.Fprintf(c, "got %s", b)
		}
	},
	"dial": func(args []string) {
		c, err := net.Dial("tcp", args[0])
		must(err)
		fmt.Fprint(c, "hello")
	},
	"bind": func(args []string) {
		_, err := net.Listen("tcp", args[0])
		fmt.Print(errors.Is(err, syscall.EADDRINUSE))
	},
	"exclusive": func(args []string) {
		_, err := os.OpenFile(args[0], os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			fmt.Println("made")
		} else {
			fmt.Println(errors.Is(err, os.ErrExist))
		}
	},
	"increment": func(args []string) {
		n := 0
		fmt.Sscan(args[1], &n)
		increment(args[0], n)
	},
	"hold": func(args []string) {
		f, err := os.Create(args[0])
		must(err)
		must(syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
		fmt.Println("locked")
		time.Sleep(time.Hour)
	},
	"read":   func([]string) { io.ReadAll(os.Stdin) },
	"escape": func([]string) { syscall.PtraceAttach(1) },
	"yield": func([]string) {
		for {
			runtime.Gosched()
		}
	},
	"leak": func([]string) {
		go func() { <-make(chan int) }()
		time.Sleep(time.Second)
	},
	"write": func(args []string) { fmt.Print(args[0]) },
	"extra": func([]string) { fmt.Fprint(os.NewFile(3, "extra"), "by the third descriptor") },
	"tofifo": func(args []string) {
		must(os.WriteFile(args[0], []byte("through a name"), 0))
	},
	"grandchild": func([]string) {
		out, err := child("say", "from below").CombinedOutput()
		fmt.Printf("%q %v", out, err)
	},
	"orphan": func([]string) {
		c := child("late")
		c.Stdout = os.Stdout
		must(c.Start())
		fmt.Print("parent, ")
	},
	"late": func([]string) {
		time.Sleep(time.Second)
		fmt.Print("orphan of ", os.Getppid())
	},
	"fate": func([]string) {
		c := child("hour")
		c.Stdout = os.Stdout
		c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
		r, w, err := os.Pipe()
		must(err)
		c.ExtraFiles = []*os.File{w}
		must(c.Start())
		must(w.Close())
		io.ReadAll(r) // until it is there
	},
	"hour": func([]string) {
		ch := make(chan os.Signal, 1)
		signal.Notify(ch, syscall.SIGTERM)
		os.NewFile(3, "ready").Close()
		fmt.Print(<-ch)
	},
}

// proc is what /proc says of the process.
func proc() string {
	text, err := os.ReadFile("/proc/self/status")
	must(err)
	return fmt.Sprint(strings.Contains(string(text), fmt.Sprintf("\nPid:\t%d\nPPid:\t%d\n", os.Getpid(), os.Getppid())))
}
