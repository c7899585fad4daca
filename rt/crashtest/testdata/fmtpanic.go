package main

import "fmt"

type T struct{}

func (T) String() string { var p *int; return fmt.Sprint(*p) }
func main() {
	fmt.Println(T{})
	fmt.Printf("%v %d\n", (*T)(nil), "x")
	panic(fmt.Sprintf("%v", []int{1}))
}
