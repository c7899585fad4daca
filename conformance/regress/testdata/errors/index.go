package main

type T struct{}

func (T) f() int { return 1 }
func g() int     { return 1 }

func main() {
	x := 1
	_ = x[0]
	T{}.f[int]()
	g[int]()
	_ = T{}.f()[0]
	_ = g()[0]
	var i interface{ m() }
	i.m[int]()
	_ = (x)[1]
	_ = i.m[0]
	_ = g[0:1]
}
