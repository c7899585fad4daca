// Race measures what looking for data races costs: programs of well-known kinds, one line for the
// processor time of a run, in nanoseconds, and one for the most memory that the process had. The
// bench builds it with -race and without, with both compilers (bench/raced.go):
//
//	go run ./bench -program race
//
// usage: race [-list] [REGEXP]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"time"

	"loam/bench/cputime"
)

// A load runs for at least the budget: do does something n times.
type load struct {
	name string
	do   func(n int)
}

const budget = 500 * time.Millisecond

var loads = []load{
	{"locked counters", counters},
	{"channels", pipeline},
	{"maps", words},
	{"sorting", sorting},
	{"trees", trees},
	{"matrices", matrices},
	{"json", documents},
	{"text", text},
	{"atomics", atomics},
	{"http", requests},
}

// measure returns the nanoseconds of one.
func (l *load) measure() float64 {
	l.do(1)
	for n := 1; ; n *= 2 {
		began := cputime.Now()
		l.do(n)
		if took := cputime.Now() - began; took >= budget {
			return float64(took.Nanoseconds()) / float64(n)
		}
	}
}

// peak is the most memory that the process has had, in MB.
func peak() (float64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, after, _ := bytes.Cut(status, []byte("\nVmHWM:"))
	line, _, _ := bytes.Cut(after, []byte(" kB"))
	kB, err := strconv.Atoi(string(bytes.TrimSpace(line)))
	return float64(kB) / 1024, err
}

func main() {
	list := flag.Bool("list", false, "print the names of the loads only")
	flag.Parse()
	only := regexp.MustCompile(flag.Arg(0))
	for _, l := range loads {
		switch {
		case !only.MatchString(l.name):
		case *list:
			fmt.Println(l.name)
		default:
			fmt.Printf("%s\ttime\t\t%.1f\tns\n", l.name, l.measure())
			most, err := peak()
			if err != nil {
				fmt.Fprintln(os.Stderr, "race:", err)
				os.Exit(1)
			}
			fmt.Printf("%s\tmemory\t\t%.2f\tMB\n", l.name, most)
		}
	}
}
