// x++ and x-- where x is of a type parameter: what is added is of the argument's type.
package main

func inc[T int32 | complex64](x T) T { x++; return x }

type N interface{ ~complex128 | ~float32 | ~int8 }

func all[T N](x T) (r []T) {
	y := x
	y--
	r = append(r, y, x+1, 2*x, x-7)
	x += 1
	m := map[string]T{}
	m["a"]++
	m["a"] -= 3
	p := &m
	(*p)["b"]--
	s := []T{x}
	s[0]++
	var z struct{ v T }
	z.v--
	return append(r, m["a"], m["b"], s[0], z.v, x)
}

type C complex128

func main() {
	println(inc(complex64(5)), inc(int32(3)))
	for _, v := range all(C(2 + 3i)) {
		println(v)
	}
	for _, v := range all(float32(2)) {
		println(v)
	}
	for _, v := range all(int8(2)) {
		println(v)
	}
	c := 1i
	c++
	println(c)
}
