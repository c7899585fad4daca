// Growth holds how a build's processor time grows with what is built.
//
//	go run ./conformance/growth [-run REGEXP] [-clang] [-v]
//
// Each shape (shapes.go) is a package that grows in one respect: a function's length, a literal,
// the cases of a switch, nesting. It is built at one size, at twice and at four times of that.
// The processor time of the front half, which is all that Loam itself does, may grow by 2.5 and
// by 5; with -clang, so may clang's. Garbage is not collected meanwhile, because a small build
// makes too little of it to be collected at all. What does not hold is measured again, and the
// smallest times count: what else the machine does makes times longer, not shorter. The front
// half is measured with a clang that does nothing, so that a run takes seconds.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"loam/conformance/suite"
)

// sizes are what a shape's size is multiplied with, and how much longer a build may take than at
// the first.
var sizes = []struct {
	times int
	limit float64
}{{1, 1}, {2, 2.5}, {4, 5}}

// margin is the share of its limits that a shape must keep within to be off the list.
const margin = 0.8

// rounds is how often a shape that grows too fast is measured.
const rounds = 4

// enough is how long a build at the first size lasts, if four times the shape's size suffices:
// the size is doubled until it does. Less than least is noise.
const (
	enough = 50 * time.Millisecond
	least  = 20 * time.Millisecond
)

type runner struct {
	loam, list, dir, match string
	clang, verbose         bool
	known                  map[suite.Place]bool
	base                   time.Duration // what a package with nothing in it costs
}

func main() {
	var r runner
	flag.StringVar(&r.loam, "loam", "bin/loam", "the loam `command`")
	flag.StringVar(&r.list, "list", "conformance/growth/failures.txt", "the `list` of shapes that grow too fast")
	flag.StringVar(&r.dir, "dir", "out/growth", "working `directory`")
	flag.StringVar(&r.match, "run", "", "only shapes that match `regexp`")
	flag.BoolVar(&r.clang, "clang", false, "measure clang, not the front half")
	flag.BoolVar(&r.verbose, "v", false, "print the times of all shapes")
	flag.Parse()
	ok, err := r.run()
	suite.Exit("growth", ok, err)
}

// half names what is measured.
func (r *runner) half() string {
	if r.clang {
		return "clang"
	}
	return "front"
}

func (r *runner) run() (bool, error) {
	match, err := regexp.Compile(r.match)
	if err != nil {
		return false, err
	}
	release, err := suite.Release()
	if err != nil {
		return false, err
	}
	if r.known, err = suite.ReadPlaces(r.list, release); err != nil {
		return false, err
	}
	if r.loam, err = suite.Command(r.loam); err != nil {
		return false, err
	}
	if r.dir, err = filepath.Abs(r.dir); err != nil {
		return false, err
	}
	if err := r.prepare(release); err != nil {
		return false, err
	}
	good, bad := 0, 0
	for _, s := range shapes {
		if !match.MatchString(s.name) {
			continue
		}
		times, err := r.shape(s)
		if err != nil {
			return false, fmt.Errorf("%s: %v", s.name, err)
		}
		known := r.known[suite.Place{Row: s.name, Column: r.half()}]
		switch {
		case tooFast(times, 1) && !known:
			bad++
			fmt.Printf("FAIL\t%s\t%s grows too fast: %s\n", s.name, r.half(), spell(times))
		case !tooFast(times, margin) && known:
			bad++
			fmt.Printf("FAIL\t%s\t%s is listed, but does not grow too fast: %s\n", s.name, r.half(), spell(times))
		default:
			good++
			if r.verbose {
				fmt.Printf("ok  \t%s\t%s\n", s.name, spell(times))
			}
		}
	}
	fmt.Printf("growth: %s: %d shapes as they should be, %d not\n", r.half(), good, bad)
	return bad == 0, nil
}

// stub is a clang that makes empty objects.
const stub = `#!/bin/sh
out= previous= compiles=
for a; do
	[ "$previous" = -o ] && out=$a
	[ "$a" = -c ] && compiles=1
	previous=$a
done
case "$compiles$out" in
1*.o*) exec cp %[1]s/empty.o "$out" ;;
esac
exec %[2]s "$@"
`

// prepare makes the module, and the clang that the builds use.
func (r *runner) prepare(release string) error {
	if err := os.RemoveAll(r.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(r.dir, "shape"), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.dir, "go.mod"),
		[]byte("module growth\n\ngo "+strings.TrimPrefix(release, "go")+"\n"), 0o666); err != nil {
		return err
	}
	if !r.clang {
		out, err := exec.Command(r.loam, "env", "LOAM_CLANG").Output()
		if err != nil {
			return fmt.Errorf("loam env: %v", err)
		}
		clang := strings.TrimSpace(string(out))
		empty := exec.Command(clang, "--target=x86_64-unknown-linux-gnu", "-x", "c", "-c", "-o", filepath.Join(r.dir, "empty.o"), os.DevNull)
		if out, err := empty.CombinedOutput(); err != nil {
			return fmt.Errorf("%v\n%s", err, out)
		}
		if err := os.WriteFile(filepath.Join(r.dir, "clang"), fmt.Appendf(nil, stub, r.dir, clang), 0o777); err != nil {
			return err
		}
	}
	for range 3 {
		if err := r.nothing(); err != nil {
			return err
		}
	}
	return nil
}

// nothing measures a package with nothing in it. The smallest time of a run counts, as for shapes:
// too big a one would make small packages cheap, and growth fast.
func (r *runner) nothing() error {
	cost, err := r.cost("")
	r.base = cmp.Or(min(r.base, cost), cost)
	return err
}

// shape measures a shape, at the first of its sizes that takes long enough.
func (r *runner) shape(s shape) ([]time.Duration, error) {
	for n := s.size; ; n *= 2 {
		times, err := r.growing(s, n)
		if err != nil || times[0] > enough || n >= 4*s.size {
			return times, err
		}
	}
}

// growing measures a shape from size n on, again while it grows too fast.
func (r *runner) growing(s shape, n int) ([]time.Duration, error) {
	var times []time.Duration
	best := make([]time.Duration, len(sizes))
	for range rounds {
		if err := r.nothing(); err != nil {
			return nil, err
		}
		times = nil
		for i, size := range sizes {
			cost, err := r.cost(s.text(n * size.times))
			if err != nil {
				return nil, err
			}
			best[i] = cmp.Or(min(best[i], cost), cost)
			times = append(times, max(best[i]-r.base, least))
			if i == 0 && times[0] <= enough && n < 4*s.size {
				return times, nil
			}
		}
		if !tooFast(times, 1) {
			break
		}
	}
	return times, nil
}

// tooFast reports whether a time is over that share of its limit.
func tooFast(times []time.Duration, share float64) bool {
	for i, size := range sizes[1:] {
		if float64(times[i+1]) > share*size.limit*float64(times[0]) {
			return true
		}
	}
	return false
}

func spell(times []time.Duration) string {
	var parts []string
	for _, t := range times {
		parts = append(parts, fmt.Sprintf("%.3f", t.Seconds()))
	}
	return fmt.Sprintf("%s s (%.1f, %.1f)", strings.Join(parts, " "), float64(times[1])/float64(times[0]), float64(times[2])/float64(times[0]))
}

// builds is how many there were: each package is another one, so that none is in the cache.
var builds = 0

// cost returns the processor time of a build of a package with those declarations.
func (r *runner) cost(text string) (time.Duration, error) {
	builds++
	text = fmt.Sprintf("package shape\n\nconst Build = \"%d of %d\"\n\n%s\n", builds, os.Getpid(), text)
	if err := os.WriteFile(filepath.Join(r.dir, "shape", "shape.go"), []byte(text), 0o666); err != nil {
		return 0, err
	}
	cmd := exec.Command(r.loam, "build", "-stats", "./shape")
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "LOAMCACHE="+filepath.Join(r.dir, "cache"), "CGO_ENABLED=0", "GOGC=off")
	if !r.clang {
		cmd.Env = append(cmd.Env, "LOAM_CLANG="+filepath.Join(r.dir, "clang"))
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%v\n%.2000s", err, out)
	}
	if r.clang {
		return clangTime(string(out))
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// total finds clang's processor time in what -stats prints.
var total = regexp.MustCompile(`(?m)^ +[\d.]+ +([\d.]+) +clang +\(all\)`)

func clangTime(stats string) (time.Duration, error) {
	m := total.FindStringSubmatch(stats)
	if m == nil {
		return 0, errors.New("loam build -stats does not say what clang took")
	}
	s, err := strconv.ParseFloat(m[1], 64)
	return time.Duration(s * float64(time.Second)), err
}
