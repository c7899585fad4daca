package main

type T struct{ a int }
type S string
type F float64
type C complex128
type E string

func (e E) Error() string { return "err:" + string(e) }

type St int

func (s St) String() string { return "stringer" }

type BadE int

func (BadE) Error() string { panic("in error") }
func main() {
	defer func() { panic(F(1.5)) }()
	defer func() { panic(C(1 + 2i)) }()
	defer func() { panic(S("a\nb")) }()
	defer func() { panic(&T{}) }()
	defer func() { panic(T{}) }()
	defer func() { panic(St(3)) }()
	defer func() { panic(true) }()
	defer func() { panic(uint8(200)) }()
	defer func() { panic('x') }()
	defer func() { panic(float32(1.1)) }()
	defer func() { recover(); panic("again") }()
	defer func() { r := recover(); panic(r) }()
	panic(E("x"))
}
