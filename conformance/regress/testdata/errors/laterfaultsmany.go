// The tenth fault that gc finds is of a literal, which it looks at behind all functions.
package main

func one() {
	go func() {
		go one
		defer one
	}()
	var a int = "a"
	var b int = "b"
	go a
}

func two() {
	var a int = "a"
	var b int = "b"
	go a
	defer b
	var c int = "c"
}

func main() {
	var d int = "d"
	_ = d
	for i, j, k := range []int{} {
	}
}
