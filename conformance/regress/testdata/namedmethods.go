// Methods that a program finds by number or by name are there, although nothing calls them.
package main

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"text/template"
)

type inner struct{ n int }

func (i inner) Inner(s string) string { return fmt.Sprint(s, i.n) }
func (i *inner) Set(n int)            { i.n = n }
func (i inner) hidden() string        { return "hidden" }

type Outer struct {
	*inner
	Name string
}

func (o Outer) Hello(words ...string) string { return o.Name + ": " + strings.Join(words, " ") }

type Shape interface{ Area() float64 }

type square float64

func (s square) Area() float64 { return float64(s * s) }

func main() {
	o := Outer{&inner{1}, "outer"}
	v := reflect.ValueOf(o)
	for i := range v.NumMethod() {
		fmt.Println(v.Type().Method(i).Name, v.Type().Method(i).Type)
	}
	v.MethodByName(strings.ToUpper("s") + "et").Call([]reflect.Value{reflect.ValueOf(5)})
	fmt.Println(v.MethodByName("Inner").Call([]reflect.Value{reflect.ValueOf("n")})[0])
	fmt.Println(v.Method(0).Call([]reflect.Value{reflect.ValueOf("a"), reflect.ValueOf("b")})[0])
	if m, ok := v.Type().MethodByName("Hello"); ok {
		fmt.Println(m.Func.Call([]reflect.Value{v})[0], m.Index)
	}
	_, ok := v.Type().MethodByName("hidden")
	fmt.Println(ok)
	var s Shape = square(3)
	fmt.Println(reflect.ValueOf(&s).Elem().Method(0).Call(nil)[0], reflect.ValueOf(s).Method(0).Interface().(func() float64)())
	template.Must(template.New("").Parse("{{.Hello \"x\" \"y\"}} {{.Inner .Name}} {{with .Name}}{{.}}{{end}}\n")).Execute(os.Stdout, o)
}
