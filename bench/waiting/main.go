// Waiting measures programs that mostly wait: what processor time they take for each second, and
// how late they are. Each result is a line: topic, series, x, value, unit. bench runs it under both
// compilers in turn.
//
//	tickers      x goroutines with a ticker each, of 1 to 50 ms
//	connections  x connections over loopback on which a byte comes every 1 to 50 ms, and is answered
//	deadlines    the same, with a deadline for each read that does not come
//	timeouts     x pairs of goroutines, one of which sends to the other every 1 to 50 ms, and
//	             starts a timer anew for each
//	afterfunc    x timers, started at once, that come due within half a second: processor time of
//	             all, and how late the last
//
// usage: waiting [-for 2s] topic...
package main

import (
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

var length = flag.Duration("for", 2*time.Second, "how long each measurement takes")

var topics = []struct {
	name string
	run  func(n int, l *lateness)
}{
	{"tickers", tickers},
	{"connections", func(n int, l *lateness) { connections(n, l, 0) }},
	{"deadlines", func(n int, l *lateness) { connections(n, l, time.Minute) }},
	{"timeouts", timeouts},
}

func main() {
	flag.Parse()
	if flag.NArg() == 0 || slices.Contains(flag.Args(), "afterfunc") {
		afterFuncs(100_000)
		afterFuncs(200_000)
	}
	for _, t := range topics {
		if flag.NArg() > 0 && !slices.Contains(flag.Args(), t.name) {
			continue
		}
		for _, n := range []int{3, 30, 300, 3000} {
			l := &lateness{start: make(chan bool), end: make(chan bool)}
			t.run(n, l)
			time.Sleep(50 * time.Millisecond)
			close(l.start)
			used, began := cpuTime(), time.Now()
			time.Sleep(*length)
			spent := time.Since(began)
			used = cpuTime() - used
			close(l.end)
			l.all.Wait()
			slices.Sort(l.times)
			report(t.name, "processor time a second", n, time.Duration(float64(used)/spent.Seconds()))
			report(t.name, "late, median", n, l.times[len(l.times)/2])
			report(t.name, "late, 99 %", n, l.times[len(l.times)*99/100])
		}
	}
}

func report(topic, series string, n int, v time.Duration) {
	fmt.Printf("%s\t%s\t%d\t%d\tns\n", topic, series, n, v)
}

func afterFuncs(n int) {
	var all sync.WaitGroup
	late := make([]time.Duration, n)
	used := cpuTime()
	for i := range n {
		all.Add(1)
		d := time.Duration(i%1000) * time.Millisecond / 2
		due := time.Now().Add(d)
		time.AfterFunc(d, func() {
			late[i] = time.Since(due)
			all.Done()
		})
	}
	all.Wait()
	report("afterfunc", "processor time", n, cpuTime()-used)
	report("afterfunc", "latest", n, slices.Max(late))
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "waiting:", err)
		os.Exit(1)
	}
}

// lateness gathers how late things were.
type lateness struct {
	start, end chan bool
	all        sync.WaitGroup
	lock       sync.Mutex
	times      []time.Duration
}

// gather starts a goroutine that calls step until the end, and then end.
func (l *lateness) gather(step func() time.Duration, end func()) {
	l.all.Go(func() {
		defer end()
		<-l.start
		var mine []time.Duration
		for {
			select {
			case <-l.end:
				l.lock.Lock()
				l.times = append(l.times, mine...)
				l.lock.Unlock()
				return
			default:
			}
			mine = append(mine, step())
		}
	})
}

// period is that of goroutine i.
func period(i int) time.Duration { return time.Duration(1+i*7%50) * time.Millisecond }

func tickers(n int, l *lateness) {
	for i := range n {
		p := period(i)
		t := time.NewTicker(p)
		due := time.Now()
		l.gather(func() time.Duration {
			<-t.C
			now := time.Now()
			due = due.Add(p * max(1, now.Sub(due)/p))
			return now.Sub(due)
		}, t.Stop)
	}
}

func connections(n int, l *lateness, deadline time.Duration) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	l.all.Go(func() { <-l.end; server.Close() })
	go func() {
		for {
			c, err := server.Accept()
			if err != nil {
				return
			}
			go answer(c, deadline)
		}
	}()
	for i := range n {
		c, err := net.Dial("tcp", server.Addr().String())
		check(err)
		var b [1]byte
		l.gather(func() time.Duration {
			time.Sleep(period(i))
			t := time.Now()
			_, err := c.Write(b[:])
			check(err)
			_, err = io.ReadFull(c, b[:])
			check(err)
			return time.Since(t)
		}, func() { c.Close() })
	}
}

// answer sends back what comes.
func answer(c net.Conn, deadline time.Duration) {
	defer c.Close()
	var b [1]byte
	for {
		if deadline != 0 {
			c.SetReadDeadline(time.Now().Add(deadline))
		}
		if _, err := c.Read(b[:]); err != nil {
			return
		}
		if _, err := c.Write(b[:]); err != nil {
			return
		}
	}
}

func timeouts(n int, l *lateness) {
	for i := range n {
		c := make(chan time.Time)
		l.all.Go(func() {
			tick := time.NewTicker(period(i))
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
				case <-l.end:
					close(c)
					return
				}
				select {
				case c <- time.Now():
				case <-l.end:
					close(c)
					return
				}
			}
		})
		timeout := time.NewTimer(time.Minute)
		l.gather(func() time.Duration {
			timeout.Reset(time.Minute)
			select {
			case t, ok := <-c:
				if ok {
					return time.Since(t)
				}
			case <-timeout.C:
			}
			<-l.end
			return 0
		}, func() { timeout.Stop() })
	}
}
