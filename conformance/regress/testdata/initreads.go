package main

// Initialisers of package variables that read what their calls change: the language leaves the order open, gc reads late but for the
// elements of literals.

import "fmt"

var b = 1
var a = b + f()
var g = 1

func f() int   { b = 10; return 1 }
func inc() int { g++; return g }

var s = []int{g, inc(), g}
var arr = [3]int{g, inc(), g}
var st = struct{ a, b, c int }{g, inc(), g}
var ps = &struct{ a, b, c int }{g, inc(), g}
var m = map[int]int{g: inc(), inc(): g}
var i any = g + inc()
var x, y = g, inc()
var z = fmt.Sprint(g, inc(), g)
var fn = func() int { return g + inc() }()
var str = "a"

func app() string { str += "b"; return str }

var cat = str + app() + str
var cmp = g == inc()-1
var idx = s[g%3] + inc() + s[g%3]
var sl = s[:g%3+inc()*0]
var and = g > 0 && inc() > 0 && g%2 == 0
var nested = [][]int{{g}, {inc()}, {g, inc()}}
var conv = float64(g) + float64(inc())
var ifs = []any{g, inc(), g}
var fst = []struct{ v any }{{g}, {inc()}, {g}}
var pt = &g
var deref = *pt + inc() + *pt
var mi = map[string]int{"q": 1}

func mut() int { mi["q"] = 50; return 0 }

var look = mi["q"] + mut()
var ch = make(chan int, 5)

func snd() chan int { g += 100; ch <- g; return ch }

var rec = g + <-snd()

func main() {
	fmt.Println(a, b, s, arr, st, *ps, m, i, x, y, z, fn, cat, cmp, idx, sl, and, nested, conv, ifs, fst, deref, look, rec)
}
