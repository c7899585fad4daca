package proftest

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// TestMetrics compares the metrics with gc's, in each release: the same names of the same kind, and
// Loam's own, each documented; values that this program must have made are there.
func TestMetrics(t *testing.T) {
	loamtest.EachRelease(t, metrics)
}

func metrics(t *testing.T, release string) {
	loam := loamtest.Command(t)
	read := func(compiler string) (kinds map[string]string, values map[string]float64) {
		out, state := loamtest.Run(t, time.Minute, nil, loamtest.Build(t, compiler, "testdata/metrics.go"))
		if !state.Success() {
			t.Fatalf("%s: %v\n%s", compiler, state, loamtest.Clip(out))
		}
		kinds, values = map[string]string{}, map[string]float64{}
		for line := range strings.Lines(out) {
			f := strings.Fields(line)
			kinds[f[0]] = strings.Join(f[1:4], " ")
			if f[1] != f[3] {
				t.Errorf("%s: %s is described as a value of kind %s and read as %s", compiler, f[0], f[1], f[3])
			}
			values[f[0]], _ = strconv.ParseFloat(f[4], 64)
		}
		return kinds, values
	}
	want, _ := read("go")
	got, values := read(loam)
	for name, kind := range want {
		if got[name] != kind {
			t.Errorf("%s: %q, with gc %q", name, got[name], kind)
		}
	}
	text, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range got {
		if want[name] == "" && (!strings.HasPrefix(name, "/loam/") || !strings.Contains(string(text), "`"+name+"`")) {
			t.Errorf("%s is not one of gc's and not in docs/metrics.md", name)
		}
	}
	for _, name := range []string{
		"/cpu/classes/idle:cpu-seconds", "/cpu/classes/gc/total:cpu-seconds", "/cpu/classes/user:cpu-seconds",
		"/gc/heap/allocs-by-size:bytes", "/gc/pauses:seconds", "/sched/latencies:seconds", "/sched/pauses/stopping/gc:seconds",
		"/sched/pauses/total/gc:seconds", "/gc/finalizers/executed:finalizers", "/gc/stack/starting-size:bytes",
		"/loam/gc/pacer/trigger:bytes", "/loam/sched/switches:switches", "/loam/sched/hand-offs:switches", "/loam/stack/starting-sizes:bytes",
		"/loam/pool/hits:gets", "/loam/pool/misses:gets", "/loam/pool/puts:values",
	} {
		if values[name] <= 0 {
			t.Errorf("%s is %v", name, values[name])
		}
	}
	if n := values["/sched/goroutines-created:goroutines"]; n < 2008 || n > 2030 {
		t.Errorf("%v goroutines were created", n)
	}
	sum := values["/cpu/classes/user:cpu-seconds"] + values["/cpu/classes/gc/total:cpu-seconds"] +
		values["/cpu/classes/idle:cpu-seconds"] + values["/cpu/classes/scavenge/total:cpu-seconds"]
	if total := values["/cpu/classes/total:cpu-seconds"]; sum < total*0.999 || sum > total*1.001 {
		t.Errorf("CPU classes sum up to %v of %v seconds", sum, total)
	}
}

// stackLine is what LOAMDEBUG=stack=1 prints.
var stackLine = regexp.MustCompile(`^stack: (return of G 0x[0-9a-f]+ from 0x[0-9a-f]+|` +
	`hop of G 0x[0-9a-f]+ in \S+ for a frame of \d+ bytes, \d+ bytes so far, to 0x[0-9a-f]+|` +
	`goroutines of \S+ started in \S+ hop: they start with \d+ bytes|` +
	`(new|boundary of|release|trim) segment 0x[0-9a-f]+ size \d+(, [a-z ]+)?)$`)

// whole fails if a line was cut in two by one of another thread.
func whole(t *testing.T, out string) {
	for line := range strings.Lines(out) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "total ") && !stackLine.MatchString(line) {
			t.Errorf("not a line of LOAMDEBUG=stack=1: %q", line)
			return
		}
	}
}

// TestLines looks at what settings of GODEBUG and LOAMDEBUG print.
func TestLines(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/churn.go")
	for setting, want := range map[string][]string{
		"GODEBUG=schedtrace=5": {`^SCHED 0ms: gomaxprocs=\d+ idleprocs=\d+ threads=\d+ spinningthreads=\d+ needspinning=\d+ idlethreads=\d+ runqueue=\d+ \[( \d+)+ \] schedticks=\[ (\d+ )+\]$`},
		"GODEBUG=schedtrace=5,scheddetail=1": {
			`^SCHED .* runqueue=\d+ gcwaiting=\w+ nmidlelocked=\d+ stopwait=\d+ sysmonwait=\w+$`,
			`^  P0: status=\d schedtick=\d+ syscalltick=\d+ m=\w+ runqsize=\d+ gfreecnt=\d+ timerslen=\d+$`,
			`^  M0: p=\w+ curg=\w+ mallocing=\d throwing=\d preemptoff= locks=\d dying=\d spinning=\w+ blocked=\w+ lockedg=\w+$`,
			`^  G1: status=\d\([a-zA-Z. ]*\) m=\w+ lockedm=\w+$`,
		},
		"GODEBUG=inittrace=1": {`^init os @\d\S* ms, \d\S* ms clock, \d+ bytes, \d+ allocs$`},
		"GODEBUG=http2debug=1,madvdontneed=1,cpu.avx2=off,unheardof=1": nil, // known to somebody
		"LOAMDEBUG=stack=1": {
			`^stack: new segment 0x[0-9a-f]+ size 32768, (cut from new memory|used before)$`,
			`^stack: hop of G 0x[0-9a-f]+ in \S+ for a frame of \d+ bytes, \d+ bytes so far, to 0x[0-9a-f]+$`,
			`^stack: return of G 0x[0-9a-f]+ from 0x[0-9a-f]+$`,
		},
		"LOAMDEBUG=pacer=1":        {`^pacer: cycle 1: trigger \d+ began \d+ ended \d+ goal \d+ error -?\d+\.\d% live \d+ next goal \d+ trigger \d+, assists \S+ ms, Ps \S+ ms$`},
		"LOAMDEBUG=pool=1":         {`^pool: epoch \d+: puts \d+ hits \d+ steals \d+ victims \d+ misses \d+ evictions \d+; values`},
		"LOAMDEBUG=sched=1":        {`^sched: new thread M\d+$`, `^sched: the world was stopped, in nanoseconds \d+$`},
		"LOAMDEBUG=profile=5000":   nil, // signals at any instruction
		"LOAMDEBUG=stackprofile=1": nil,
		"LOAMDEBUG=usage=1":        nil,
	} {
		out, state := loamtest.Run(t, time.Minute, []string{setting}, exe)
		// The monitor prints these, and in the 50 ms of the program its thread may get no CPU on a
		// busy machine.
		for try := 0; try < 5 && strings.Contains(setting, "schedtrace") && !strings.Contains(out, "SCHED"); try++ {
			out, state = loamtest.Run(t, time.Minute, []string{setting}, exe)
		}
		if !state.Success() {
			t.Errorf("%s: %v\n%s", setting, state, loamtest.Clip(out))
			continue
		}
		match(t, setting, out, append(want, `^total 134850$`)...)
		if setting == "LOAMDEBUG=stack=1" {
			whole(t, out)
		}
		if want == nil && out != "total 134850\n" {
			t.Errorf("%s: %s", setting, loamtest.Clip(out))
		}
	}
}

// A variable that a program cannot make sense of is an error that names it, the value and what it
// can have. A setting of GODEBUG may be somebody else's.
func TestMalformedSettings(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/churn.go")
	for setting, want := range map[string]string{
		"LOAMGC=foo":                "LOAMGC=foo: foo is none of cpu=N% (up to 99.9), mem=SIZE ",
		"LOAMGC=mem=1GB,cpu=ten":    "LOAMGC=mem=1GB,cpu=ten: cpu=ten is none of ",
		"LOAMDEBUG=unheardof=1":     "LOAMDEBUG: no setting unheardof=1; it is a list of name=number with the names check, frames, gcevery, ",
		"LOAMDEBUG=stack=yes":       "LOAMDEBUG: stack=yes: stack has to be a number\n",
		"LOAMDEBUG=sched=1,yield=":  "LOAMDEBUG: yield=: yield has to be a number\n",
		"LOAMDEBUG=yield":           "LOAMDEBUG: yield: yield has to be a number\n",
		"LOAMDEBUG=yiel=1":          "LOAMDEBUG: no setting yiel=1; it is a list of name=number ",
		"LOAMTRACE=/no/such/file":   "LOAMTRACE=/no/such/file: cannot write this file: no such directory\n",
		"LOAMTRACE=/":               "LOAMTRACE=/: cannot write this file: it is a directory\n",
		"LOAMSIM=sede=1":            "LOAMSIM: no setting sede=1; it is a list of name=value with the names alone, ",
		"GODEBUG=unheardof=1,foo,=": "",
	} {
		out, state := loamtest.Run(t, time.Minute, []string{setting}, exe)
		if want == "" {
			if !state.Success() || out != "total 134850\n" {
				t.Errorf("%s: %v\n%s", setting, state, loamtest.Clip(out))
			}
			continue
		}
		if state.ExitCode() != 2 || !strings.HasPrefix(out, want) || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: %v\n%s", setting, state, loamtest.Clip(out))
		}
	}
}
