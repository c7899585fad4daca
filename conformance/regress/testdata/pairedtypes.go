// Type switches over interfaces see more types than their places remember, from many goroutines.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

type S interface{ A() int }
type (
	A1 int
	A2 string
	A3 struct{ a, b int }
	A4 []int
	A5 float64
	A6 bool
)

func (A1) A() int  { return 1 }
func (*A2) A() int { return 2 }
func (A3) A() int  { return 3 }
func (A4) A() int  { return 4 }
func (A5) A() int  { return 5 }

type e1 struct{}

func (e1) Error() string { return "e1" }

//go:noinline
func f(x any) string {
	switch v := x.(type) {
	case S:
		return fmt.Sprint("S", v.A())
	case error:
		return "err" + v.Error()
	case fmt.Stringer:
		return "str" + v.String()
	case io.Reader:
		return "reader"
	}
	return fmt.Sprintf("%T", x)
}
func main() {
	var a2 A2
	vals := []any{A1(1), a2, &a2, A3{1, 2}, A4{1}, A5(2), A6(true), nil, e1{}, &e1{}, errors.New("x"), os.Stdin, time.Second, 1, "s", 2.5, uint8(1), new(int)}
	sum := map[string]int{}
	for i := range 5000 {
		for j := range vals {
			sum[f(vals[(j*7+i)%len(vals)])]++
		}
	}
	done := make(chan bool)
	for g := range 8 {
		go func() {
			n := 0
			for i := range 20000 {
				if f(vals[(i*g)%len(vals)]) != "" {
					n++
				}
			}
			done <- n == 20000
		}()
	}
	for range 8 {
		fmt.Println(<-done)
	}
	fmt.Println(sum)
}
