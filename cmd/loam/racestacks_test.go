package main_test

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// stacksModule makes accesses below frames of many kinds, each by two goroutines that nothing
// orders.
const stacksModule = `
-- go.mod --
module stacks

go 1.26
-- main.go --
package main

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sync"
)

var shared [64]int

var at int

//go:noinline
func touch() { shared[at] = 1 }

var size = 1

// warm makes an access of its own.
//
//go:noinline
func warm() {
	own := make([]int, size)
	own[0] = 1
}

//go:noinline
func deep(n int) {
	if n > 0 {
		deep(n - 1)
		return
	}
	touch()
}

// up touches when the frames below have returned.
//
//go:noinline
func up(n int) {
	if n > 0 {
		up(n - 1)
		if n == 30 {
			touch()
		}
		return
	}
	warm()
}

//go:noinline
func wide(n int) int {
	var room [30000]byte // another segment
	room[n] = 1
	warm()
	touch()
	return int(room[n])
}

type object struct{ n int }

func (o object) Method(int) { touch() }

type outer struct{ object }

type doer interface{ Method(int) }

//go:noinline
func call(d doer) { d.Method(1) }

//go:noinline
func panics() {
	defer func() {
		touch()
		recover()
	}()
	panic(1)
}

//go:noinline
func faults(p *object) (n int) {
	defer func() {
		recover()
		touch()
	}()
	return p.n
}

//go:noinline
func leaf(p *object) int { return p.n }

//go:noinline
func recovers() {
	warm()
	func() {
		defer func() { recover() }()
		leaf(nil)
	}()
	touch()
}

//go:noinline
func exits() {
	defer touch()
	deferred()
}

//go:noinline
func deferred() {
	defer warm()
}

//go:noinline
func ranges() {
	for x := range iter.Seq[int](func(yield func(int) bool) { _ = yield(1) && yield(2) }) {
		if x == 2 {
			touch()
		}
	}
}

//go:noinline
func pulls() {
	next, stop := iter.Pull(func(yield func(int) bool) {
		warm()
		yield(1)
		touch()
	})
	next()
	next()
	stop()
}

//go:noinline
func sorts() {
	slices.SortFunc([]int{2, 1}, func(a, b int) int {
		touch()
		return a - b
	})
}

// cases are what both goroutines do. Calls by reflect that take memory from a pool are not among
// them: it orders what they do.
var cases = []func(){
	touch,
	func() { deep(10) },
	func() { deep(300) },
	func() { up(40) },
	func() { up(400) },
	func() { wide(7) },
	func() { call(outer{}) },
	func() { call(&outer{}) },
	func() { outer{}.Method(1) },
	func() { f := outer{}.Method; f(1) },
	func() { reflect.ValueOf(touch).Call(nil) },
	func() {
		reflect.MakeFunc(reflect.TypeFor[func(int)](), func([]reflect.Value) []reflect.Value {
			touch()
			return nil
		}).Interface().(func(int))(1)
	},
	panics,
	func() { faults(nil) },
	recovers,
	exits,
	ranges,
	pulls,
	sorts,
	func() { new(sync.Once).Do(touch) },
	func() { defer warm(); touch() },
}

func main() {
	for i, each := range cases {
		at = i
		var both sync.WaitGroup
		both.Go(each)
		both.Go(each)
		both.Wait()
	}
	fmt.Println(len(cases))
}
`

// TestRaceStacks: the stack of the first access of a race, which was noted when it was made, is
// that of the second one, which is looked up for the report, where both are made in the same way.
// Of deep stacks it has 48 frames at least.
func TestRaceStacks(t *testing.T) {
	const least = 48
	dir := module(t, stacksModule)
	for _, flags := range []string{"-trimpath", "-gcflags=-N"} {
		if r := run(t, dir, nil, "build", "-race", flags, "."); r.code != 0 {
			t.Fatal(r.stderr)
		}
		r := runProgram(t, filepath.Join(dir, "stacks"), []string{"GORACE=suppress_equal_stacks=0 exitcode=3"})
		report := regexp.MustCompile(`(?s)WARNING: DATA RACE\nWrite at [^\n]*\n(.*?)\n\nPrevious write at [^\n]*\n(.*?)\n\n`)
		found := report.FindAllStringSubmatch(r.stderr, -1)
		if strconv.Itoa(len(found))+"\n" != r.stdout || r.code != 3 {
			t.Errorf("%s: exit code %d, %d races, not %s%s", flags, r.code, len(found), r.stdout, r.stderr)
		}
		for _, f := range found {
			second, first := strings.Split(f[1], "\n"), strings.Split(f[2], "\n")
			if len(first) > 2*least {
				second = second[:len(first)]
			}
			if a, b := strings.Join(first, "\n"), strings.Join(second, "\n"); a != b || !strings.HasPrefix(a, "  main.touch()\n") {
				t.Errorf("%s: made at\n%s\nand\n%s", flags, a, b)
			}
		}
	}
}
