// Arrays and structs that go/ssa keeps in phis, where one way out of a block assigns them anew and the other one uses what they
// were: they were assigned before the branch. Long chains of comparisons have the same, and may test for a constant twice.
package main

import "fmt"

type array [5]int

type record struct {
	n, a, b, c, d int
	in            [4]int
}

//go:noinline
func nextArray(a array) (array, bool) { a[0]++; a[4] += 10; return a, a[0] < 3 }

//go:noinline
func nextRecord(r record) (record, bool) { r.n++; r.in[1] += 10; return r, r.n < 3 }

//go:noinline
func lastArray(p array) (before, after array) {
	for {
		old := p
		var more bool
		p, more = nextArray(p)
		if more {
			continue
		}
		return old, p
	}
}

//go:noinline
func lastRecord(p record) (before, after record, in [4]int) {
	for {
		old := p
		var more bool
		p, more = nextRecord(p)
		if more {
			in = old.in
			continue
		}
		return old, p, in
	}
}

// either leaves a block for two others that have phis of their own.
//
//go:noinline
func either(p, q record, n int) (record, record) {
	for i := 0; ; i++ {
		old := p
		var odd bool
		p, odd = nextRecord(p)
		if odd {
			p, q = q, p
			if i < n {
				continue
			}
		}
		if i > 2*n {
			return old, q
		}
		q = old
	}
}

//go:noinline
func swapped(p, q array, n int) (array, array) {
	for {
		if n--; n > 0 {
			p, q = q, p
			continue
		}
		return p, q
	}
}

//go:noinline
func chain(x int, s array) (n int, a array) {
	n, a = -1, array{1}
	if x == 0 {
		n = 100
	} else if x == 1 {
		n = 3
	} else if x == 2 {
		n = 6
	} else if x == 3 {
		n = 9
	} else if x == 4 {
		n = 12
	} else if x == 5 {
		n = 15
	} else if x == 6 {
		n = 18
	} else if x == 7 {
		n = 21
	} else if x == 8 {
		n = 24
	} else if x == 9 {
		n = 27
	} else if x == 10 {
		n = 30
	} else if x == 11 {
		n = 33
	} else if x == 12 {
		n = 36
	} else if x == 13 {
		n = 39
	} else if x == 14 {
		n = 42
	} else if x == 15 {
		n = 45
	} else if x == 16 {
		n = 48
	} else if x == 17 {
		n = 51
	} else if x == 18 {
		n = 54
	} else if x == 19 {
		n = 57
	} else if x == 20 {
		n = 60
	} else if x == 21 {
		n = 63
	} else if x == 22 {
		n = 66
	} else if x == 23 {
		n = 69
	} else if x == 24 {
		n = 72
	} else if x == 25 {
		n = 75
	} else if x == 26 {
		n = 78
	} else if x == 27 {
		n = 81
	} else if x == 28 {
		n = 84
	} else if x == 29 {
		n = 87
	} else if x == 30 {
		a = s
	} else if x == 31 {
		n = 93
	} else if x == 32 {
		n = 96
	} else if x == 33 {
		n = 99
	} else if x == 34 {
		n = 102
	} else if x == 35 {
		n = 105
	} else if x == 36 {
		n = 108
	} else if x == 37 {
		n = 111
	} else if x == 38 {
		n = 114
	} else if x == 39 {
		n = 117
	} else if x == 40 {
		n = 120
	} else if x == 41 {
		n = 123
	} else if x == 42 {
		n = 126
	} else if x == 43 {
		n = 129
	} else if x == 44 {
		n = 132
	} else if x == 45 {
		n = 135
	} else if x == 46 {
		n = 138
	} else if x == 47 {
		n = 141
	} else if x == 48 {
		n = 144
	} else if x == 49 {
		n = 147
	} else if x == 20 {
	} else if x == 51 {
		n = 153
	} else if x == 52 {
		n = 156
	} else if x == 53 {
		n = 159
	} else if x == 54 {
		n = 162
	} else if x == 55 {
		n = 165
	} else if x == 56 {
		n = 168
	} else if x == 57 {
		n = 171
	} else if x == 58 {
		n = 174
	} else if x == 59 {
		n = 177
	} else if x == 60 {
		n = 180
	} else if x == 61 {
		n = 183
	} else if x == 62 {
		n = 186
	} else if x == 63 {
		n = 189
	} else if x == 64 {
		n = 192
	} else if x == 65 {
		n = 195
	} else if x == 66 {
		n = 198
	} else if x == 67 {
		n = 201
	} else if x == 68 {
		n = 204
	} else if x == 69 {
		n = 207
	}
	return n, a
}

//go:noinline
func lastInChain(p array, n int) (before, after array) {
	for k := 0; ; k++ {
		old := p
		p, _ = nextArray(p)
		switch 100*n + k {
		case 0:
			continue
		case 1:
			continue
		case 2:
			continue
		case 3:
			continue
		case 4:
			continue
		case 5:
			continue
		case 6:
			continue
		case 7:
			continue
		case 8:
			continue
		case 9:
			continue
		case 10:
			continue
		case 11:
			continue
		case 12:
			continue
		case 13:
			continue
		case 14:
			continue
		case 15:
			continue
		case 16:
			continue
		case 17:
			continue
		case 18:
			continue
		case 19:
			continue
		case 20:
			continue
		case 21:
			continue
		case 22:
			continue
		case 23:
			continue
		case 24:
			continue
		case 25:
			continue
		case 26:
			continue
		case 27:
			continue
		case 28:
			continue
		case 29:
			continue
		case 30:
			continue
		case 31:
			continue
		case 32:
			continue
		case 33:
			continue
		case 34:
			continue
		case 35:
			continue
		case 36:
			continue
		case 37:
			continue
		case 38:
			continue
		case 39:
			continue
		case 40:
			continue
		case 41:
			continue
		case 42:
			continue
		case 43:
			continue
		case 44:
			continue
		case 45:
			continue
		case 46:
			continue
		case 47:
			continue
		case 48:
			continue
		case 49:
			continue
		case 50:
			continue
		case 51:
			continue
		case 52:
			continue
		case 53:
			continue
		case 54:
			continue
		case 55:
			continue
		case 56:
			continue
		case 57:
			continue
		case 58:
			continue
		case 59:
			continue
		case 60:
			continue
		case 61:
			continue
		case 62:
			continue
		case 63:
			continue
		case 100:
			continue
		}
		return old, p
	}
}

func main() {
	fmt.Println(lastArray(array{}))
	fmt.Println(lastRecord(record{}))
	fmt.Println(either(record{a: 1}, record{b: 2}, 3))
	fmt.Println(swapped(array{1}, array{2}, 3))
	fmt.Println(swapped(array{1}, array{2}, 4))
	for x := range 72 {
		fmt.Println(chain(x, array{5, 6}))
	}
	fmt.Println(lastInChain(array{}, 0))
	fmt.Println(lastInChain(array{}, 1))
}
