// Which conversions to interfaces and sums of strings allocate, and what they hold.
package main

import (
	"fmt"
	"math"
	"testing"
)

type I interface{ M() int }
type T int
type F float64
type S string

func (t T) M() int { return int(t) }

var sink any
var sinkI I
var sinks []any

func check(name string, f func()) { fmt.Println(name, testing.AllocsPerRun(100, f)) }

//go:noinline
func add(a, b string) string { return a + b }

//go:noinline
func length(s string) int { return len(s) }

func main() {
	for _, n := range []int{0, 1, 255, 256, -1, math.MinInt64} {
		check(fmt.Sprint("int ", n), func() { sink = n })
		check(fmt.Sprint("int16 ", n), func() { sink = int16(n) })
		check(fmt.Sprint("uint32 ", n), func() { sink = uint32(n) })
		check(fmt.Sprint("T ", n), func() { sinkI = T(n) })
		check(fmt.Sprint("float ", n), func() { sink = float64(n) })
		sinks = append(sinks, sink, n, int16(n), uint32(n), T(n), F(n), float32(n), sinkI, sinkI.M())
	}
	for _, f := range []float64{0, math.Copysign(0, -1), math.Float64frombits(77), math.NaN()} {
		check("float", func() { sink = f })
		sinks = append(sinks, f, F(f), math.Float64bits(sink.(float64)))
	}
	for _, s := range []string{"", "a", "bc"} {
		check("string "+s, func() { sink = s })
		check("S "+s, func() { sink = S(s) })
		sinks = append(sinks, s, S(s), sink)
	}
	for _, s := range [][]int{nil, {}, {1}} {
		check("slice", func() { sink = s })
		sinks = append(sinks, sink, sink.([]int) == nil)
	}
	i, s, d, big := 2000, "abc", 1e9, [4]int{1, 2}
	check("constants", func() { sinks[0], sinks[1], sinks[2] = i, s, d })
	check("big", func() { sinks[3] = big })
	m := 1
	check("variable", func() { sinks[4] = m + 1000; m++ })
	x := add("x", "yz")
	check("concat", func() { m += length(x + "abc") })
	check("concat long", func() { m += length(x + "abcabcabcabcabcabcabcabcabcabcabc") })
	check("concat escapes", func() { sink = x + "abc" })
	check("concat loop", func() {
		y := ""
		for range 3 {
			y += x
		}
		m += length(y)
	})
	y := x + "-" + x
	z := y + "+"
	sinks = append(sinks, y, z, m)
	fmt.Println(sinks...)
	fmt.Printf("%T %v\n", sinks, sinks)
}
