// In an assignment of several values the entry of a map is made before its value is computed.
package main

import "fmt"

type T struct{ v int }

func try(name string, f func()) {
	defer func() { fmt.Println(name, recover()) }()
	f()
}

var s = []int{1, 2, 3}
var y int

func f() int { return 7 }

func main() {
	var m map[string]int
	var mt map[string]T
	var mi map[any]int
	var p *int
	var q *T
	var e any = "x"
	a := [3]int{}
	j, z := 7, 0
	k := "k"
	try("m,s[0]=s[j],2", func() { m["k"], s[0] = s[j], 2 })
	try("m,y=s[j],2", func() { m["k"], y = s[j], 2 })
	try("m[k],y=s[j],2", func() { m[k], y = s[j], 2 })
	try("m,y=*p,2", func() { m["k"], y = *p, 2 })
	try("m,y=q.v,2", func() { m["k"], y = q.v, 2 })
	try("m,y=1/z,2", func() { m["k"], y = 1/z, 2 })
	try("m,y=a[j],2", func() { m["k"], y = a[j], 2 })
	try("m,y=e.(int),2", func() { m["k"], y = e.(int), 2 })
	try("m,y=s[j],f()", func() { m["k"], y = s[j], f() })
	try("y,m=2,s[j]", func() { y, m["k"] = 2, s[j] })
	try("y,m=s[j],2", func() { y, m["k"] = s[j], 2 })
	try("s[0],m=2,s[j]", func() { s[0], m["k"] = 2, s[j] })
	try("s[0],m=s[j],2", func() { s[0], m["k"] = s[j], 2 })
	try("m,m=s[j],2", func() { m["k"], m["l"] = s[j], 2 })
	try("m,m=2,s[j]", func() { m["k"], m["l"] = 2, s[j] })
	try("m=s[j]", func() { m["k"] = s[j] })
	try("m+=s[j]", func() { m["k"] += s[j] })
	try("mt,y=T{s[j]},2", func() { mt["k"], y = T{s[j]}, 2 })
	try("mt=T{s[j]}", func() { mt["k"] = T{s[j]} })
	try("mi[func],y=s[j],2", func() { mi[f], y = s[j], 2 })
	try("mi[func]=s[j]", func() { mi[f] = s[j] })
	try("m[k][s[j]]", func() { m[k+string(rune(s[j]))], y = 1, 2 })
	x := 0
	try("m,x=s[j],2", func() { m["k"], x = s[j], 2 })
	try("local", func() { var m map[string]int; s := []int{1}; j := x + 5; m["k"], s[0] = s[j], 2 })
	try("local2", func() { var m map[string]int; s := []int{1}; j := x + 5; y := 0; m["k"], y = s[j], 2; _ = y })
	try("swap", func() { var m map[string]int; m["k"], m["j"] = m["j"], s[j] })
	try("order", func() { m["k"], s[j] = 1, 2 })
	try("order2", func() { s[j], m["k"] = 1, 2 })
	try("order3", func() { m["k"], *p = 1, 2 })
	try("order4", func() { *p, m["k"] = 1, 2 })
	try("order5", func() { *p, s[j] = 1, 2 })
	try("order6", func() { s[j], *p = 1, 2 })
	try("order7", func() { *p, y = s[j], 2 })
	try("order8", func() { s[5], y = *p, 2 })
}
