// The lines that deferred calls see of the function that runs them: each return's own, or the
// closing brace where the calls are not written out at the returns.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
)

var (
	sink *int
	gate sync.Mutex
)

// where prints the line of the caller's caller, of the function that runs the deferred calls.
func where() {
	_, file, line, ok := runtime.Caller(2)
	fmt.Println(file[len(file)-len("deferlines.go"):], line, ok)
}

func results(n int) (r string, err error) {
	defer func() { where() }()
	if n == 1 {
		return "a", nil
	}
	if n == 2 {
		r = "b"
		return
	}
	for i := 0; i < n; i++ {
		if i == 5 {
			return fmt.Sprint(n),
				errors.New(
					"x")
		}
	}
	return "c", nil
}

func falls(n int) {
	defer func() { where() }()
	if n == 1 {
		return
	}
	n++
}

func inLoop(n int) int {
	for i := 0; i < 2; i++ {
		defer func() { where() }()
	}
	if n == 1 {
		return 4
	}
	return 5
}

func inLoopOnce(n int) int {
	for {
		defer func() { where() }()
		if n == 1 {
			return 4
		}
		break
	}
	return 5
}

func afterLabel(n int) int {
again:
	defer func() { where() }()
	if n > 3 {
		n--
		goto again
	}
	if n == 1 {
		return 4
	}
	return 5
}

func beforeLabel(n int) int {
	defer func() { where() }()
again:
	if n > 3 {
		n--
		goto again
	}
	if n == 1 {
		return 4
	}
	return 5
}

func inRange(n int) int {
	for range func(yield func() bool) { yield() } {
		defer func() { where() }()
	}
	if n == 1 {
		return 4
	}
	return 5
}

func several(n int) int {
	defer func() { where() }()
	if n == 1 {
		return 1
	}
	defer func() { where() }()
	if n == 2 {
		return 2
	}
	defer gate.Unlock()
	gate.Lock()
	return 3
}

func nine(n int) int {
	f := func() { where() }
	defer f()
	defer f()
	defer f()
	defer f()
	defer f()
	defer f()
	defer f()
	defer f()
	if n != 2 {
		defer f()
	}
	return 3
}

func manyReturns(n int) int {
	defer func() { where() }()
	defer func() { where() }()
	switch n {
	case 1:
		return 10
	case 2:
		return 20
	case 3:
		return 30
	case 4:
		return 40
	case 5:
		return 50
	case 6:
		return 60
	case 7:
		return 70
	}
	return 80
}

func fewReturns(n int) int {
	defer func() { where() }()
	defer func() { where() }()
	switch n {
	case 1:
		return 10
	case 2:
		return 20
	case 3:
		return 30
	case 4:
		return 40
	case 5:
		return 50
	case 6:
		return 60
	}
	return 80
}

func resultOnHeap(n int) (r int) {
	sink = &r
	defer func() { where() }()
	if n == 1 {
		return 4
	}
	return 5
}

func resultOnStack(n int) (r int) {
	p := &r
	defer func() { where(); r++ }()
	if n == 1 {
		*p = 3
		return
	}
	return 5
}

func conditional(n int) int {
	if n > 1 {
		defer func() { where() }()
	}
	if n == 2 {
		return 2
	}
	return n
}

type list []int

func (l list) method(n int) int {
	defer l.show()
	if n == 2 {
		return 2
	}
	return n
}

func (l list) show() { func() { where() }() }

func generic[T any](n int, x T) T {
	defer func() { where() }()
	if n == 2 {
		return x
	}
	return x
}

func literal(n int) int {
	return func() int {
		defer func() { where() }()
		if n == 1 {
			return 2
		}
		return 3
	}()
}

func main() {
	for n := 1; n < 9; n++ {
		fmt.Println(n)
		results(n)
		falls(n)
		inLoop(n)
		inLoopOnce(n)
		afterLabel(n)
		beforeLabel(n)
		inRange(n)
		several(n)
		nine(n)
		manyReturns(n)
		fewReturns(n)
		resultOnHeap(n)
		resultOnStack(n)
		conditional(n)
		list{1}.method(n)
		generic(n, n)
		generic(n, "x")
		literal(n)
	}
}
