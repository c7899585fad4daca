// Package top makes tables of what the goroutines of a running program use, of two readings of the
// profile "usage" in its text form (overlay/runtime/pprof).
package top

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Use is what a goroutine, or all of a group, has used.
type Use struct {
	Run, Wait, Calls time.Duration // on a processor, runnable, in system calls
	Turns, Bytes     int64
}

func (u Use) plus(v Use, times int64) Use {
	t := time.Duration(times)
	return Use{u.Run + t*v.Run, u.Wait + t*v.Wait, u.Calls + t*v.Calls, u.Turns + times*v.Turns, u.Bytes + times*v.Bytes}
}

// A line is one of the profile: a goroutine, or those of a group that have ended, with number 0.
type line struct {
	use       Use
	goroutine int64
	state     string
	group     string // function, go statement and labels, between tabs
}

// A Reading is the profile at one time.
type Reading struct {
	lines []line
}

const heading = "usage profile: "

// Read reads the profile.
func Read(r io.Reader) (*Reading, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<24)
	if !in.Scan() || !strings.HasPrefix(in.Text(), heading) {
		return nil, fmt.Errorf("not the profile usage of a program made by Loam, in its text form")
	}
	reading := new(Reading)
	for n := 2; in.Scan(); n++ {
		if strings.HasPrefix(in.Text(), "#") {
			continue
		}
		f := strings.SplitN(in.Text(), "\t", 8)
		if len(f) != 8 || strings.Count(f[7], "\t") != 2 {
			return nil, fmt.Errorf("line %d of the profile usage: %q", n, in.Text())
		}
		var v [6]int64
		for i := range v {
			var err error
			if v[i], err = strconv.ParseInt(f[i], 10, 64); err != nil {
				return nil, fmt.Errorf("line %d of the profile usage: %w", n, err)
			}
		}
		reading.lines = append(reading.lines, line{
			use:       Use{time.Duration(v[0]), time.Duration(v[1]), time.Duration(v[2]), v[3], v[4]},
			goroutine: v[5], state: f[6], group: f[7],
		})
	}
	return reading, in.Err()
}

// By is what a row of a table stands for.
type By int

const (
	Statement By = iota
	Goroutine
	Label
)

// A Row is what was used between two readings.
type Row struct {
	Use
	Live      int // goroutines that there are at the second reading
	Goroutine int64
	State     string
	Function  string
	Place     string // of the go statement
	Labels    string
}

// Between returns what was used between two readings, in rows that something was used in. By
// goroutines, a row with number 0 has what those of a group have used that ended in between.
func Between(before, after *Reading, by By) []Row {
	there := map[int64]bool{0: false}
	for _, l := range after.lines {
		there[l.goroutine] = l.goroutine != 0
	}
	rows := map[Row]*Row{}
	add := func(l line, times int64) {
		// What a goroutine that has ended used is in the line of its group, with what it had used
		// before, and so that is taken off there.
		key := by.key(l, there[l.goroutine])
		r := rows[key]
		if r == nil {
			r = &key
			rows[*r] = r
		}
		r.Use = r.Use.plus(l.use, times)
		if times > 0 && l.goroutine != 0 {
			r.Live++
			if by == Goroutine {
				r.State = l.state
			}
		}
	}
	for _, l := range before.lines {
		add(l, -1)
	}
	for _, l := range after.lines {
		add(l, 1)
	}
	var all []Row
	for _, r := range rows {
		if r.Use != (Use{}) {
			all = append(all, *r)
		}
	}
	return all
}

// key returns what a line's row is, without what changes.
func (by By) key(l line, live bool) Row {
	f := strings.Split(l.group, "\t")
	switch by {
	case Goroutine:
		r := Row{Function: f[0], Place: f[1], Labels: f[2], State: "ended"}
		if live {
			r.Goroutine, r.State = l.goroutine, ""
		}
		return r
	case Label:
		return Row{Labels: f[2]}
	default:
		return Row{Function: f[0], Place: f[1]}
	}
}

// Orders are the names of what rows can be sorted by.
var Orders = []string{"run", "wait", "calls", "turns", "bytes"}

// Sort sorts rows by one of Orders, those with the most first.
func Sort(rows []Row, order string) {
	value := func(r Row) int64 {
		switch order {
		case "wait":
			return int64(r.Wait)
		case "calls":
			return int64(r.Calls)
		case "turns":
			return r.Turns
		case "bytes":
			return r.Bytes
		}
		return int64(r.Run)
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(value(b), value(a)), cmp.Compare(b.Run, a.Run), cmp.Compare(a.Function, b.Function),
			cmp.Compare(a.Place, b.Place), cmp.Compare(a.Labels, b.Labels), cmp.Compare(a.Goroutine, b.Goroutine))
	})
}

// Print writes a table of the first rows, at most most. Shares are of one processor.
func Print(w io.Writer, rows []Row, by By, length time.Duration, most int) {
	share := func(d time.Duration) string { return fmt.Sprintf("%.1f", 100*d.Seconds()/length.Seconds()) }
	var sum Use
	live := 0
	for _, r := range rows {
		sum = sum.plus(r.Use, 1)
		live += r.Live
	}
	fmt.Fprintf(w, "in %v: %s %% of a processor, %d goroutines at work, %s/s allocated\n", length.Round(time.Millisecond), share(sum.Run),
		live, size(sum.Bytes, length))
	fmt.Fprintf(w, "%7s %7s %7s %9s %10s  ", "RUN %", "WAIT %", "CALL %", "TURNS/s", "ALLOC/s")
	switch by {
	case Goroutine:
		fmt.Fprintf(w, "%9s %-16s FUNCTION, GO STATEMENT, LABELS\n", "GOROUTINE", "STATE")
	case Label:
		fmt.Fprintf(w, "%6s LABELS\n", "LIVE")
	default:
		fmt.Fprintf(w, "%6s FUNCTION, GO STATEMENT\n", "LIVE")
	}
	for _, r := range rows[:min(len(rows), most)] {
		fmt.Fprintf(w, "%7s %7s %7s %9.0f %10s  ", share(r.Run), share(r.Wait), share(r.Calls), float64(r.Turns)/length.Seconds(), size(r.Bytes, length))
		switch by {
		case Goroutine:
			number := "-"
			if r.Goroutine != 0 {
				number = strconv.FormatInt(r.Goroutine, 10)
			}
			fmt.Fprintf(w, "%9s %-16s %s", number, r.State, strings.TrimSpace(r.Function+" "+r.Place+" "+r.Labels))
		case Label:
			fmt.Fprintf(w, "%6d %s", r.Live, cmp.Or(r.Labels, "(none)"))
		default:
			fmt.Fprintf(w, "%6d %s %s", r.Live, r.Function, r.Place)
		}
		fmt.Fprintln(w)
	}
}

// size is how many bytes there were in each second.
func size(bytes int64, length time.Duration) string {
	n := float64(bytes) / length.Seconds()
	for _, unit := range []string{"B", "kB", "MB"} {
		if n < 1000 {
			return fmt.Sprintf("%.3g %s", n, unit)
		}
		n /= 1000
	}
	return fmt.Sprintf("%.3g GB", n)
}
