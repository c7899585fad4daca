// Content has symbols that several files define alike: the assembler's, named by what is in them, and
// DUPOK ones. It prints the same under both compilers.
package main

import (
	"content/other"
	"fmt"
)

func f(x int) int
func g(x int) int
func half(x float64) float64

func F(x int) int { return x + 1 }
func G(x int) int { return x * 2 }

func main() {
	fmt.Println(f(3), g(4), half(5), other.F(6), other.Half(7))
}
