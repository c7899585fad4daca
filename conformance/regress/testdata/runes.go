// Strings converted to []rune: nothing is allocated to count the runes, nor for a short slice that
// does not leave its function. Every encoding is decoded as gc does, at each distance from the end.
package main

import (
	"fmt"
	"testing"
)

var texts = []string{
	"", "a", "grüße", "世界", "a\U0001F600b", "\xff", "ab\xe4\xb8", "\xf0\x9f\x98", "\xed\xa0\x80", "\xc0\x80",
	"\xf4\x90\x80\x80", "é", "\xc3", "€", "\xe2\x82", "\xe2", "x\xf0", "x\xf0\x9f", "plain words, more than thirty-two of them",
	"Grüße, 世界! Mehr als zweiunddreißig Zeichen.",
}

//go:noinline
func count(s string) int { return len([]rune(s)) }

//go:noinline
func sum(s string, from int) (n rune) {
	a := []rune(s)
	for i := len(a) - 1; i >= from; i-- {
		n = n*31 + a[i]
	}
	return n
}

//go:noinline
func grown(s string) int {
	a := append([]rune(s), 'x', 'y')
	return len(a) + int(a[len(a)-2])
}

//go:noinline
func keep(s string) []rune { return []rune(s) }

// rounds has a slice of its own in each round.
func rounds(s string) (n rune) {
	var before []rune
	for range 3 {
		a := []rune(s)
		if before != nil && len(a) > 0 {
			n += before[0]
			a[0]++
		}
		before = a
	}
	return n
}

func main() {
	for _, s := range texts {
		fmt.Printf("%q %d %d %d %v %d\n", s, count(s), sum(s, 0), grown(s), keep(s), rounds(s))
		for i, r := range s {
			fmt.Print(i, ":", r, " ")
		}
		fmt.Println()
	}
	const short = "fünfzehn Zeichen"
	fmt.Println(testing.AllocsPerRun(10, func() { count(texts[len(texts)-1]) }))
	fmt.Println(testing.AllocsPerRun(10, func() { sum(short, 3) }))
}
