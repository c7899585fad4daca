// Growth holds how a build's work grows with what is built.
//
//	go run ./conformance/growth [-run REGEXP] [-clang] [-v]
//
// Each shape (shapes.go) is a package that grows in one respect: a function's length, a literal,
// the cases of a switch, nesting. It is built at one size, at twice and at four times of that.
// The work of the front half, which is all that Loam itself does, may grow by 2.5 and by 5. Work
// is the number of statements that Loam and the packages go/... run: a command loam that is built
// with coverage counts them (statements.go). No machine and no load changes it, so a shape is
// measured once, and where a shape grows too fast, the blocks that run too often are printed. The
// front half is measured with a clang that does nothing, so that a run takes seconds.
//
// With -clang, clang's processor time is measured. It may grow as much; what does not hold is
// measured again, and the smallest times count: what else the machine does makes times longer,
// not shorter.
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

	"loam/conformance/suite"
)

// sizes are what a shape's size is multiplied with, and how much longer a build may take than at
// the first.
var sizes = []struct {
	times int
	limit float64
}{{1, 1}, {2, 2.5}, {4, 5}}

// A half of a build is what is measured.
type half struct {
	name   string
	unit   int64   // of a cost, in what is printed
	enough int64   // at the first size: the size is doubled until it costs more, up to four times
	least  int64   // less than that is noise, or what a package with nothing in it costs
	margin float64 // the share of its limits that a shape must keep within to be off the list
	rounds int     // how often a shape that grows too fast is measured
}

// The halves. The front half's costs are statements, clang's are microseconds.
var (
	front = half{"front", 1e6, 4e6, 1e6, 0.98, 1}
	clang = half{"clang", 1e6, 50e3, 20e3, 0.8, 4}
)

type runner struct {
	loam, list, dir, match string
	half                   half
	verbose                bool
	known                  map[suite.Place]bool
	base                   int64  // what a package with nothing in it costs
	last                   work   // of the last build of the front half
	work                   []work // of the shape's builds at each size
}

func main() {
	var r runner
	flag.StringVar(&r.loam, "loam", "bin/loam", "the loam `command`")
	flag.StringVar(&r.list, "list", "conformance/growth/failures.txt", "the `list` of shapes that grow too fast")
	flag.StringVar(&r.dir, "dir", "out/growth", "working `directory`")
	flag.StringVar(&r.match, "run", "", "only shapes that match `regexp`")
	back := flag.Bool("clang", false, "measure clang, not the front half")
	flag.BoolVar(&r.verbose, "v", false, "print the times of all shapes")
	flag.Parse()
	r.half = front
	if *back {
		r.half = clang
	}
	ok, err := r.run()
	suite.Exit("growth", ok, err)
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
		costs, err := r.shape(s)
		if err != nil {
			return false, fmt.Errorf("%s: %v", s.name, err)
		}
		known := r.known[suite.Place{Row: s.name, Column: r.half.name}]
		switch {
		case tooFast(costs, 1) && !known:
			bad++
			fmt.Printf("FAIL\t%s\t%s grows too fast: %s\n", s.name, r.half.name, r.half.spell(costs))
			if r.half == front {
				i := 1 // the greater step
				if costs[1]*costs[1] > costs[0]*costs[2] {
					i = 0
				}
				where(r.work[i], r.work[i+1])
			}
		case !tooFast(costs, r.half.margin) && known:
			bad++
			fmt.Printf("FAIL\t%s\t%s is listed, but does not grow too fast: %s\n", s.name, r.half.name, r.half.spell(costs))
		default:
			good++
			if r.verbose {
				fmt.Printf("ok  \t%s\t%s\n", s.name, r.half.spell(costs))
			}
		}
	}
	fmt.Printf("growth: %s: %d shapes as they should be, %d not\n", r.half.name, good, bad)
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
	if r.half == front {
		out, err := exec.Command(r.loam, "env", "LOAM_CLANG").Output()
		if err != nil {
			return fmt.Errorf("loam env: %v", err)
		}
		clang := strings.TrimSpace(string(out))
		empty := exec.Command(clang, "--target=x86_64-unknown-linux-gnu", "-x", "c", "-c", "-o", filepath.Join(r.dir, "empty.o"), os.DevNull)
		if out, err := empty.CombinedOutput(); err != nil {
			return fmt.Errorf("%v\n%s", err, out)
		}
		if err := r.buildCounted(); err != nil {
			return err
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

// nothing measures a package with nothing in it. The smallest cost of a run counts, as for shapes:
// too big a one would make small packages cheap, and growth fast.
func (r *runner) nothing() error {
	cost, err := r.cost("")
	r.base = cmp.Or(min(r.base, cost), cost)
	return err
}

// shape measures a shape, at the first of its sizes that costs enough.
func (r *runner) shape(s shape) ([]int64, error) {
	for n := s.size; ; n *= 2 {
		costs, err := r.growing(s, n)
		if err != nil || costs[0] > r.half.enough || n >= 4*s.size {
			return costs, err
		}
	}
}

// growing measures a shape from size n on, again while it grows too fast.
func (r *runner) growing(s shape, n int) ([]int64, error) {
	var costs []int64
	best := make([]int64, len(sizes))
	r.work = make([]work, len(sizes))
	for range r.half.rounds {
		if err := r.nothing(); err != nil {
			return nil, err
		}
		costs = nil
		for i, size := range sizes {
			cost, err := r.cost(s.text(n * size.times))
			if err != nil {
				return nil, err
			}
			r.work[i] = r.last
			best[i] = cmp.Or(min(best[i], cost), cost)
			costs = append(costs, max(best[i]-r.base, r.half.least))
			if i == 0 && costs[0] <= r.half.enough && n < 4*s.size {
				return costs, nil
			}
		}
		if !tooFast(costs, 1) {
			break
		}
	}
	return costs, nil
}

// tooFast reports whether a cost is over that share of its limit.
func tooFast(costs []int64, share float64) bool {
	for i, size := range sizes[1:] {
		if float64(costs[i+1]) > share*size.limit*float64(costs[0]) {
			return true
		}
	}
	return false
}

func (h half) spell(costs []int64) string {
	var parts []string
	for _, c := range costs {
		parts = append(parts, fmt.Sprintf("%.3f", float64(c)/float64(h.unit)))
	}
	what := "million statements"
	if h == clang {
		what = "s"
	}
	return fmt.Sprintf("%s %s (%.1f, %.1f)", strings.Join(parts, " "), what,
		float64(costs[1])/float64(costs[0]), float64(costs[2])/float64(costs[0]))
}

// builds is how many there were: each package is another one, so that none is in the cache.
var builds = 0

// cost returns what a build of a package with those declarations costs.
func (r *runner) cost(text string) (int64, error) {
	builds++
	text = fmt.Sprintf("package shape\n\nconst Build = \"%d of %d\"\n\n%s\n", builds, os.Getpid(), text)
	if err := os.WriteFile(filepath.Join(r.dir, "shape", "shape.go"), []byte(text), 0o666); err != nil {
		return 0, err
	}
	if r.half == front {
		return r.statements()
	}
	out, err := r.build(r.loam)
	if err != nil {
		return 0, err
	}
	return clangTime(out)
}

// build builds the shape with that loam and returns what it prints.
func (r *runner) build(loam string, env ...string) (string, error) {
	cmd := exec.Command(loam, "build", "-stats", "./shape")
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "LOAMCACHE="+filepath.Join(r.dir, "cache"), "CGO_ENABLED=0", "GOGC=off")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%v\n%.2000s", err, out)
	}
	return string(out), nil
}

// total finds clang's processor time in what -stats prints.
var total = regexp.MustCompile(`(?m)^ +[\d.]+ +([\d.]+) +clang +\(all\)`)

// clangTime returns clang's processor time in microseconds.
func clangTime(stats string) (int64, error) {
	m := total.FindStringSubmatch(stats)
	if m == nil {
		return 0, errors.New("loam build -stats does not say what clang took")
	}
	s, err := strconv.ParseFloat(m[1], 64)
	return int64(s * 1e6), err
}
