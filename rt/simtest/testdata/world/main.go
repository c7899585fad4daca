//go:build loam

// World is a scenario with machines that do what it says.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing/sim"
	"time"
)

var a, b *sim.Machine

func main() {
	a, b = sim.NewMachine("a", "./node", "one", "two words"), sim.NewMachine("b", "./node")
	a.Env = []string{"GREETING=hello, world; all", "TZ=Asia/Tokyo"}
	a.Start()
	b.Start()
	switch os.Args[1] {
	case "all":
		talk()
		ends()
		survives()
		network()
		faults()
	case "order":
		order()
	case "names":
		names()
	case "deadlock":
		select {}
	case "panic":
		say(a, "panic")
		time.Sleep(time.Hour)
	case "mistake":
		a.Start()
	case "forever":
		for {
			say(a, "echo x")
		}
	}
}

// say sends a line to a machine, and returns the answer.
func say(m *sim.Machine, line string) string {
	c := connect(m)
	defer c.Close()
	return sayOn(c, line)
}

func sayOn(c net.Conn, line string) string {
	if _, err := fmt.Fprintln(c, line); err != nil {
		return err.Error()
	}
	answer, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return "ended"
	}
	return strings.TrimSpace(answer)
}

// connect waits until the machine listens.
func connect(m *sim.Machine) net.Conn {
	for {
		c, err := net.DialTimeout("tcp", m.Name+":80", time.Second)
		if err == nil {
			return c
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// late says whether an error is a timeout.
func late(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}

func check(what string, got, want any) {
	if fmt.Sprint(got) != fmt.Sprint(want) {
		fmt.Printf("WRONG: %s: %v, want %v\n", what, got, want)
		os.Exit(1)
	}
}

func talk() {
	check("echo", say(a, "echo hello"), "hello")
	check("environment", say(a, "environment"), `["HOME=/home/loam" "PATH=/usr/local/bin:/usr/bin:/bin" "USER=loam" "GREETING=hello, world; all" "TZ=Asia/Tokyo"] node`)
	check("environment", say(b, "environment"), `["HOME=/home/loam" "PATH=/usr/local/bin:/usr/bin:/bin" "TZ=UTC" "USER=loam"] node`)
	check("long", say(b, "echo "+strings.Repeat("x", 300_000)), strings.Repeat("x", 300_000))
	check("a to b", say(a, "dial b"), "true false")
	check("a to nobody", say(a, "dial c"), "false false")
	check("interface", say(b, "interface"), "2 02:00:0a:00:00:02 [10.0.0.2/24] <nil>")
	check("address", connect(b).RemoteAddr(), b.Addr().String()+":80")
	c, err := net.Dial("udp", "a:90")
	check("udp", err, nil)
	c.SetDeadline(time.Now().Add(time.Second))
	fmt.Fprint(c, "ping")
	buf := make([]byte, 10)
	n, err := c.Read(buf)
	check("datagram", fmt.Sprintf("%s %v", buf[:n], err), "ping <nil>")
	c, _ = net.Dial("udp", "a:91")
	fmt.Fprint(c, "ping")
	_, err = c.Read(buf)
	check("nobody", errors.Is(err, syscall.ECONNREFUSED), true)
}

func ends() {
	done := make(chan int)
	go func() { done <- a.Wait() }()
	check("exit", say(a, "exit 3"), "ended")
	check("status", <-done, 3)
	check("running", a.Running(), false)
	_, err := net.Dial("tcp", "a:80")
	check("refused", errors.Is(err, syscall.ECONNREFUSED), true)
	a.Start()
	check("again", say(a, "echo again"), "again")
	check("stop", a.Stop(), 7)
	a.Start()
	c := connect(a)
	check("before", sayOn(c, "echo before"), "before")
	a.Kill()
	check("killed", a.Wait(), 137)
	_, err = c.Read(make([]byte, 1))
	check("connection of a killed process", err, io.EOF)
	a.Start()
	say(a, "echo up")
	stops()
}

// stops lets a process do nothing for a second: what is sent to it waits.
func stops() {
	c := connect(a)
	check("before it stops", sayOn(c, "echo before"), "before")
	a.Signal(syscall.SIGSTOP)
	time.Sleep(time.Millisecond)
	_, err := fmt.Fprintln(c, "echo after")
	check("sent", err, nil)
	c.SetReadDeadline(time.Now().Add(time.Second))
	_, err = c.Read(make([]byte, 1))
	check("stopped", errors.Is(err, os.ErrDeadlineExceeded), true)
	check("running", a.Running(), true)
	c.SetReadDeadline(time.Time{})
	for range 3 {
		a.Signal(syscall.SIGCONT)
		a.Signal(syscall.SIGSTOP)
	}
	a.Signal(syscall.SIGCONT)
	line, err := bufio.NewReader(c).ReadString('\n')
	check("goes on", strings.TrimSpace(line), "after")
	check("and reads", err, nil)
	c.Close()
}

func survives() {
	check("write", say(b, "write synced sync"), "<nil>")
	c := connect(b)
	b.Crash()
	_, err := net.DialTimeout("tcp", "b:80", 2*time.Second)
	check("dead", late(err), true)
	b.Start()
	say(b, "echo up")
	_, err = fmt.Fprintln(c, "echo lost")
	if err == nil {
		_, err = c.Read(make([]byte, 1))
	}
	check("connection over a crash", errors.Is(err, syscall.ECONNRESET), true)
	check("write", say(b, "write killed"), "<nil>")
	b.Kill()
	b.Start()
	say(b, "echo up")
	check("write", say(b, "write unsynced"), "<nil>")
	b.Restart()
	say(b, "echo up")
}

func network() {
	sim.Partition("a")
	check("apart", say(a, "dial b"), "false true")
	check("apart", say(b, "dial a"), "false true")
	sim.Heal()
	check("together", say(a, "dial b"), "true false")
	sim.Cut("b", "scenario")
	_, err := net.DialTimeout("tcp", "b:80", time.Second)
	check("cut", late(err), true)
	sim.Join("scenario", "b")
	c := connect(b)
	sim.Cut("b", "scenario")
	began := time.Now()
	time.AfterFunc(5*time.Second, sim.Heal)
	check("through a cut", sayOn(c, "echo late"), "late")
	check("late", time.Since(began) > 5*time.Second, true)
	sim.Network(sim.NetworkFaults{Latency: 300 * time.Millisecond})
	began = time.Now()
	say(a, "echo slow")
	check("slow", time.Since(began) > 1100*time.Millisecond, true)
	sim.Network(sim.NetworkFaults{Loss: 1})
	u, _ := net.Dial("udp", "a:90")
	u.SetDeadline(time.Now().Add(time.Second))
	fmt.Fprint(u, "ping")
	_, err = u.Read(make([]byte, 1))
	check("loss", late(err), true)
	sim.Network(sim.NetworkFaults{Resets: 1})
	check("reset", sayOn(connect(a), "echo lost"), "ended")
	sim.Network(sim.NetworkFaults{Pieces: 1})
	check("pieces", inPieces(connect(a)), true)
	sim.Network(sim.NetworkFaults{})
}

// inPieces says whether one of twenty answers, of which each is one write, takes more than a read.
func inPieces(c net.Conn) (divided bool) {
	for range 20 {
		fmt.Fprintln(c, "echo two-pieces")
		var answer []byte
		for reads := 1; !strings.HasSuffix(string(answer), "\n"); reads++ {
			b := make([]byte, 100)
			n, err := c.Read(b)
			if err != nil {
				panic(err)
			}
			answer = append(answer, b[:n]...)
			divided = divided || reads > 1
		}
		if string(answer) != "two-pieces\n" {
			panic(string(answer))
		}
	}
	return divided
}

func faults() {
	b.Disk(sim.DiskFaults{Room: 1})
	check("room", strings.Contains(say(b, "write x"), "no space left"), true)
	b.Disk(sim.DiskFaults{Errors: 1})
	check("errors", strings.Contains(say(b, "write x"), "input/output error"), true)
	b.Disk(sim.DiskFaults{})
	check("no errors", say(b, "write x"), "<nil>")
	year := time.Now().Year()
	a.Jump(10 * 366 * 24 * time.Hour)
	check("clock", say(a, "year"), year+10)
	check("others", say(b, "year"), year)
}

// names makes more machines while the first ones begin, and prints which of them those know.
func names() {
	for i := range 20 {
		sim.NewMachine(fmt.Sprint("later", i), "./node")
	}
	fmt.Println(say(a, "hosts"), say(b, "hosts"))
}

// order prints who of two is heard first.
func order() {
	heard := make(chan string)
	for _, m := range []*sim.Machine{a, b} {
		go func() { heard <- say(m, "echo "+m.Name) }()
	}
	fmt.Println(<-heard, <-heard)
}
