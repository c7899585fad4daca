// IndexByte, Count, Compare and Equal at all lengths to 700 against loops, inside a page and at both of its edges: overlay/internal/bytealg, with and
// without AVX2, and memcmp in rt/sys/mem.gas, as the processor has it.
package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

const page = 4096

// guarded returns a page between two that cannot be read.
func guarded() []byte {
	m, err := syscall.Mmap(-1, 0, 3*page, 3, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	syscall.Mprotect(m[:page], 0)
	syscall.Mprotect(m[2*page:], 0)
	return m[page : 2*page]
}

func index(b []byte, c byte) int {
	for i, x := range b {
		if x == c {
			return i
		}
	}
	return -1
}

func count(b []byte, c byte) (n int) {
	for _, x := range b {
		if x == c {
			n++
		}
	}
	return n
}

func compare(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			if a[i] < b[i] {
				return -1
			}
			return 1
		}
	}
	return min(1, max(-1, len(a)-len(b)))
}

var bad int

func check(what string, got, want int, where ...any) {
	if got != want && bad < 20 {
		bad++
		fmt.Println(what, got, "instead of", want, where)
	}
}

// place returns where n bytes lie in a page: at one of its edges, or near one, or anywhere.
func place(r *rand.Rand, n int) int {
	switch r.IntN(4) {
	case 0:
		return 0
	case 1:
		return page - n
	case 2:
		return max(0, page-n-r.IntN(64))
	}
	return r.IntN(page - n + 1)
}

func searches(r *rand.Rand, p []byte, n int) {
	at := place(r, n)
	odds := 1 + r.IntN(n+3)
	for i := max(0, at-70); i < min(page, at+n+70); i++ {
		p[i] = 'a'
		if outside := i < at || i >= at+n; outside || r.IntN(odds) == 0 {
			p[i] = 'x'
		}
	}
	b := p[at : at+n]
	check("IndexByte", bytes.IndexByte(b, 'x'), index(b, 'x'), n, at)
	check("IndexByteString", strings.IndexByte(string(b), 'x'), index(b, 'x'), n, at)
	check("IndexByte of none", bytes.IndexByte(b, 'y'), -1, n, at)
	check("Count", bytes.Count(b, []byte("x")), count(b, 'x'), n, at)
	check("Count of others", bytes.Count(b, []byte("a")), n-count(b, 'x'), n, at)
	check("Count of none", bytes.Count(b, []byte("y")), 0, n, at)
	check("CountString", strings.Count(string(b), "x"), count(b, 'x'), n, at)
}

func comparisons(r *rand.Rand, p, q []byte, n int) {
	m := max(0, n-r.IntN(40)*r.IntN(2))
	i, j := place(r, n), place(r, m)
	x, y := p[i:i+n], q[j:j+m]
	for k := range x {
		x[k] = byte(r.IntN(256))
	}
	copy(y, x)
	if j > 0 {
		q[j-1]++
	}
	if j+m < page {
		q[j+m]++
	}
	for d := range 3 {
		if d > 0 && m > 0 {
			y[r.IntN(m)] += byte(1 + r.IntN(255)) // a second difference may undo the first
		}
		want := compare(x, y)
		check("Compare", bytes.Compare(x, y), want, n, m, i, j)
		check("Compare", bytes.Compare(y, x), -want, m, n, j, i)
		check("strings.Compare", strings.Compare(string(x), string(y)), want, n, m, i, j)
		if bytes.Equal(x, y) != (want == 0) || (string(x) == string(y)) != (want == 0) || (string(x) < string(y)) != (want < 0) {
			check("Equal", 0, 1, n, m, i, j)
		}
	}
}

func main() {
	p, q := guarded(), guarded()
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 700 {
		for range 60 {
			searches(r, p, n)
			comparisons(r, p, q, n)
		}
	}
	for range 2000 {
		n := 700 + r.IntN(page-700+1)
		searches(r, p, n)
		comparisons(r, p, q, n)
	}
	fmt.Println(bad)
	if len(os.Args) == 1 {
		again := exec.Command(os.Args[0], "again")
		again.Env = append(os.Environ(), "GODEBUG=cpu.avx2=off")
		out, err := again.CombinedOutput()
		fmt.Print(string(out), err, "\n")
	}
}
