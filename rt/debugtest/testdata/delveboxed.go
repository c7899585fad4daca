// Interfaces in delve whose types no variable has.
package main

import "fmt"

type only struct{ a, b int }

type failure struct{ code int }

func (f *failure) Error() string { return "failure" }

type number float32

type generic[T any] struct{ v T }

var static any = [1]only{{5, 6}}

var kept []any

//go:noinline
func show(a any, e error, list ...any) { fmt.Println(a, e != nil, len(list), static) }

func main() {
	type local struct{ on bool }
	kept = append(kept, generic[int]{4}, local{true})
	show(only{1, 2}, &failure{3}, number(2), generic[int]{4}, []only{{7, 8}}, map[string]generic[bool]{"k": {true}},
		func(int8) bool { return true }, struct{ z uint16 }{9}, [2]number{1, 2}, nil, 2.5, local{true}, any(generic[generic[local]]{}),
		(*only)(nil), 3+4i, 'x', [0]only{})
}
