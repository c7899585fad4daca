// The code that reflection finds for a method is that of the method's expression.
package main

import (
	"fmt"
	"reflect"
)

type inner struct{ x int }

func (i *inner) M() int { return i.x }
func (i inner) V() int  { return i.x }

type outer struct {
	x int
	inner
}

type named func() int

func (n named) Call() int { return n() }

func same(t reflect.Type, exprs ...any) {
	for i, f := range exprs {
		m := t.Method(i)
		v := reflect.ValueOf(f)
		fmt.Println(t, m.Name, m.Func.Pointer() == v.Pointer(), m.Func.UnsafePointer() == v.UnsafePointer())
	}
}

func main() {
	same(reflect.TypeFor[*outer](), (*outer).M, (*outer).V)
	same(reflect.TypeFor[outer](), outer.V)
	same(reflect.TypeFor[*inner](), (*inner).M, (*inner).V)
	same(reflect.TypeFor[inner](), inner.V)
	same(reflect.TypeFor[named](), named.Call)
}
