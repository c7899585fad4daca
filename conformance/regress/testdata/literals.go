// Literals in functions that are mostly constants: their constants are copied from data of the program. What is not constant,
// or is changed, read or panics on the way, must be seen as if each element had been stored in its turn.
package main

import "fmt"

type cell struct {
	name string
	n    int8
	f    float32
	c    complex64
	in   [3]uint16
	any  any
	p    *int
	_    int
}

func calls() (n int) { counter++; return counter }

var counter int

func array() [64]int {
	return [...]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, calls(), 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
		31, 32, 33, 34, 35, 36, 37, 38, 39, calls(), 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, -64}
}

func slice() []string {
	return []string{0: "a", 1: "b", 70: "z", 2: "c", 3: "d", 4: "e", 5: "f", 6: "g", 7: "h", 8: "i", 9: "j", 10: "k", 11: "l", 12: "m", 13: "n", 14: "o", 15: "p",
		16: "q", 17: "r", 18: "s", 19: "t", 20: "u", 21: "v", 22: "w", 23: "x", 24: "y", 25: fmt.Sprint("made", calls()), 26: "a", 27: "a", 28: "a", 29: "a", 30: "",
		31: "a", 32: "a", 33: "a", 34: "a", 35: "a", 36: "a", 37: "a", 38: "a", 39: "a", 40: "a", 41: "a", 42: "a", 43: "a", 44: "a", 45: "a", 46: "a", 47: "b", 48: "c", 49: "d", 50: "e", 51: "f"}
}

func cells() []cell {
	x := 5
	return []cell{
		{"one", 1, 1.5, 1i, [3]uint16{1, 2, 3}, 1, &x, 1}, {"two", -2, 2.5, 2, [3]uint16{4, 5, 6}, "two", nil, 2},
		{"three", 3, -0.0, 1 + 2i, [3]uint16{}, nil, &x, 3}, {name: "four"}, {n: 5, any: calls()}, {"six", 6, 6, 6, [3]uint16{6, 6, 6}, 6.5, nil, 6},
		{"seven", 7, 7, 7, [3]uint16{2: 7}, 'x', nil, 7}, {"eight", 8, 8, 8, [3]uint16{8}, nil, nil, 8}, {"nine", 9, 9, 9, [3]uint16{9, 9}, nil, nil, 9},
		{"ten", 10, 10, 10, [3]uint16{10, 10}, nil, nil, 10}, {"eleven", 11, 11, 11, [3]uint16{11}, nil, nil, 11}, {"twelve", 12, 12, 12, [3]uint16{12}, nil, nil, 12},
	}
}

type row struct {
	name string
	f    func() int
	p    *int
	next *row
}

var (
	other int
	rows  [3]row
)

func double() int { return 2 * counter }

// addresses is of functions, of variables, and of others.
func addresses(f func() int) []row {
	return []row{
		{"a0", calls, &counter, nil}, {"b1", double, &other, &rows[2]}, {"c2", func() int { return -2 }, nil, nil}, {"d3", f, &counter, &rows[1]},
		{"a4", calls, &counter, nil}, {"b5", double, &other, &rows[2]}, {"c6", func() int { return -6 }, nil, nil}, {"d7", f, &counter, &rows[1]},
		{"a8", calls, &counter, nil}, {"b9", double, &other, &rows[2]}, {"c10", func() int { return -10 }, nil, nil}, {"d11", f, &counter, &rows[1]},
		{"a12", calls, &counter, nil}, {"b13", double, &other, &rows[2]}, {"c14", func() int { return -14 }, nil, nil}, {"d15", f, &counter, &rows[1]},
		{"a16", calls, &counter, nil}, {"b17", double, &other, &rows[2]}, {"c18", func() int { return -18 }, nil, nil}, {"d19", f, &counter, &rows[1]},
		{"a20", calls, &counter, nil}, {"b21", double, &other, &rows[2]}, {"c22", func() int { return -22 }, nil, nil}, {"d23", f, &counter, &rows[1]},
		{"a24", calls, &counter, nil}, {"b25", double, &other, &rows[2]}, {"c26", func() int { return -26 }, nil, nil}, {"d27", f, &counter, &rows[1]},
		{"a28", calls, &counter, nil}, {"b29", double, &other, &rows[2]}, {"c30", func() int { return -30 }, nil, nil}, {"d31", f, &counter, &rows[1]},
	}
}

type small struct {
	p *int
	s string
	q *row
}

type inner struct {
	x int16
	y [2]int8
}

type nested struct {
	in inner
	p  *int
}

// small elements are built apart and then stored.
func elements(n int) []small {
	return []small{
		{&counter, "s0", nil}, {s: "t1"}, {&other, "u2", &rows[1]}, {nil, "v3", &rows[n%3]}, {p: &other}, {},
		{&counter, "s6", nil}, {s: "t7"}, {&other, "u8", &rows[1]}, {nil, "v9", &rows[n%3]}, {p: &other}, {},
		{&counter, "s12", nil}, {s: "t13"}, {&other, "u14", &rows[1]}, {nil, "v15", &rows[n%3]}, {p: &other}, {},
		{&counter, "s18", nil}, {s: "t19"}, {&other, "u20", &rows[1]}, {nil, "v21", &rows[n%3]}, {p: &other}, {},
		{&counter, "s24", nil}, {s: "t25"}, {&other, "u26", &rows[1]}, {nil, "v27", &rows[n%3]}, {p: &other}, {},
		{&counter, "s30", nil}, {s: "t31"}, {&other, "u32", &rows[1]}, {nil, "v33", &rows[n%3]}, {p: &other}, {},
		{&counter, "s36", nil}, {s: "t37"}, {&other, "u38", &rows[1]}, {nil, "v39", &rows[n%3]}, {p: &other}, {},
		{&counter, "s42", nil}, {s: "t43"}, {&other, "u44", &rows[1]}, {nil, "v45", &rows[n%3]}, {p: &other}, {},
		{&counter, "s48", nil}, {s: "t49"}, {&other, "u50", &rows[1]}, {nil, "v51", &rows[n%3]}, {p: &other}, {},
		{&counter, "s54", nil}, {s: "t55"}, {&other, "u56", &rows[1]}, {nil, "v57", &rows[n%3]}, {p: &other}, {},
	}
}

func nests(n int) [60]nested {
	return [60]nested{
		{inner{x: int16(calls()), y: [2]int8{1, int8(n)}}, &n}, {inner{1, [2]int8{99}}, nil}, {inner{2, [2]int8{98}}, nil}, {inner{3, [2]int8{97}}, nil}, {inner{4, [2]int8{96}}, nil}, {inner{5, [2]int8{95}}, nil},
		{inner{6, [2]int8{94}}, nil}, {inner{x: int16(calls()), y: [2]int8{1, int8(n)}}, &n}, {inner{8, [2]int8{92}}, nil}, {inner{9, [2]int8{91}}, nil}, {inner{10, [2]int8{90}}, nil}, {inner{11, [2]int8{89}}, nil},
		{inner{12, [2]int8{88}}, nil}, {inner{13, [2]int8{87}}, nil}, {inner{x: int16(calls()), y: [2]int8{1, int8(n)}}, &n}, {inner{15, [2]int8{85}}, nil}, {inner{16, [2]int8{84}}, nil}, {inner{17, [2]int8{83}}, nil},
		{inner{18, [2]int8{82}}, nil}, {inner{19, [2]int8{81}}, nil}, {inner{20, [2]int8{80}}, nil}, {inner{x: int16(calls()), y: [2]int8{1, int8(n)}}, &n}, {inner{22, [2]int8{78}}, nil}, {inner{23, [2]int8{77}}, nil},
		{inner{24, [2]int8{76}}, nil}, {inner{25, [2]int8{75}}, nil}, {inner{26, [2]int8{74}}, nil}, {inner{27, [2]int8{73}}, nil}, {inner{x: int16(calls()), y: [2]int8{1, int8(n)}}, &n}, {inner{29, [2]int8{71}}, nil},
		{inner{30, [2]int8{70}}, nil}, {inner{31, [2]int8{69}}, nil}, {inner{32, [2]int8{68}}, nil}, {inner{33, [2]int8{67}}, nil}, {inner{34, [2]int8{66}}, nil}, {inner{x: int16(calls()), y: [2]int8{1, int8(n)}}, &n},
		{inner{36, [2]int8{64}}, nil}, {inner{37, [2]int8{63}}, nil}, {inner{38, [2]int8{62}}, nil}, {inner{39, [2]int8{61}}, nil}, {inner{40, [2]int8{60}}, nil}, {inner{41, [2]int8{59}}, nil},
		{inner{x: int16(calls()), y: [2]int8{1, int8(n)}}, &n}, {inner{43, [2]int8{57}}, nil}, {inner{44, [2]int8{56}}, nil}, {inner{45, [2]int8{55}}, nil}, {inner{46, [2]int8{54}}, nil}, {inner{47, [2]int8{53}}, nil},
		{inner{48, [2]int8{52}}, nil}, {inner{x: int16(calls()), y: [2]int8{1, int8(n)}}, &n}, {inner{50, [2]int8{50}}, nil}, {inner{51, [2]int8{49}}, nil}, {inner{52, [2]int8{48}}, nil}, {inner{53, [2]int8{47}}, nil},
		{inner{54, [2]int8{46}}, nil}, {inner{55, [2]int8{45}}, nil}, {inner{x: int16(calls()), y: [2]int8{1, int8(n)}}, &n}, {inner{57, [2]int8{43}}, nil}, {inner{58, [2]int8{42}}, nil}, {inner{59, [2]int8{41}}, nil},
	}
}

// changed is assigned to element by element, twice in part, and read on the way.
func changed(n int) (sum int) {
	var a [50]int
	a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	a[10], a[11], a[12], a[13], a[14], a[15], a[16], a[17], a[18], a[19] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	a[3] = n
	a[3] = 100
	a[4] = 200
	a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	a[30], a[31], a[32], a[33], a[34], a[35], a[36], a[37], a[38], a[39] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	a[40], a[41], a[42], a[43], a[44], a[45], a[46], a[47], a[48], a[49] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	a[5] = 300
	for _, x := range a {
		sum += x
	}
	a[6] = 1
	return sum*10 + a[6]
}

// results panics between its assignments.
func results(p *int) (a [60]byte) {
	defer func() { recover() }()
	a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	a[10], a[11], a[12], a[13], a[14], a[15], a[16], a[17], a[18], a[19] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	a[30] = byte(*p)
	a[31], a[32], a[33], a[34], a[35], a[36], a[37], a[38], a[39] = 2, 3, 4, 5, 6, 7, 8, 9, 10
	a[40], a[41], a[42], a[43], a[44], a[45], a[46], a[47], a[48], a[49] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	a[50], a[51], a[52], a[53], a[54], a[55], a[56], a[57], a[58], a[59] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	return
}

// turns makes a literal in each turn of a loop and keeps it.
func turns() (kept []*[52]int) {
	for i := range 3 {
		a := &[52]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
			31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, i}
		a[i]++
		kept = append(kept, a)
	}
	return kept
}

func main() {
	fmt.Println(array())
	fmt.Printf("%q\n", slice())
	for _, c := range cells() {
		fmt.Println(c.name, c.n, c.f, c.c, c.in, c.any, c.p != nil)
	}
	for _, r := range addresses(func() int { return 7 }) {
		fmt.Println(r.name, r.f(), r.p == &counter, r.p == &other, r.next == &rows[1], r.next == &rows[2])
	}
	for _, e := range elements(5) {
		fmt.Print(e.s, " ", e.p == &counter, e.p == &other, e.q == &rows[1], e.q == &rows[2], "\n")
	}
	for _, e := range nests(5) {
		fmt.Print(e.in, " ", e.p != nil, "\n")
	}
	fmt.Println(changed(7))
	n := 31
	fmt.Println(results(&n), results(nil))
	for _, a := range turns() {
		fmt.Println(*a)
	}
}
