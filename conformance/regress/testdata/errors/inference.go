//go:build go1.27

package main

func id[T any](x T) T     { return x }
func two[A, B any](a A) B { panic(0) }

type F func(int) int
type S struct {
	f func(int) int
	g func(string) int
}

func main() {
	var _ = []func(int) string{id}
	var _ = S{f: id, g: id}
	var _ = map[string]F{"a": id, "b": two}
	_ = F(two)
	_ = F(id)
	_ = (func(string) int)(id)
	c := make(chan func(int) string)
	c <- id
	_ = any(id)
	var a any = id
	_ = []any{id}
	_ = interface{ m() }(id)
	return id
	switch id {
	}
	_ = id == nil
	c <- two
	_ = [2]F{id, two, id}
}
