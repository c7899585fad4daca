package main

func over(n int) int {
	var a [50]int
	a[n%50] = n
	r := over(n + 1)
	return r + a[(n+r)%50]
}

func main() { println(over(0)) }

// Output:
// runtime: goroutine stack exceeds 1000000000-byte limit
// fatal error: stack overflow
// main.over
// Exit: 2
