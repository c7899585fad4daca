// []byte(a + b) made the string first and then copied it.
package main

import (
	"fmt"
	"strings"
	"testing"
)

var sink []byte

func main() {
	long, empty := strings.Repeat("foo", 20), strings.Repeat("x", 0)
	var word = []byte("byte")
	for _, f := range []func() []byte{
		func() []byte { return []byte(long + long) },
		func() []byte { return []byte(long + empty + "-" + long) },
		func() []byte { return []byte(empty + empty) },
		func() []byte { return []byte(long + empty) },
		func() []byte { return []byte(long + string(word) + fmt.Sprint(1)[:1]) },
		func() []byte { s := long + "x"; b := []byte(s); return append(b, s[0]) },
	} {
		b := f()
		fmt.Println(string(b), len(b), b == nil)
	}
	fmt.Println(testing.AllocsPerRun(100, func() { sink = []byte(long + long) }))
	fmt.Println(testing.AllocsPerRun(100, func() { sink = []byte(empty + empty) }))
}
