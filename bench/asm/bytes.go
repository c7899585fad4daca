package main

import (
	"bytes"
	"fmt"
	"strings"
)

// sizes are those of typical keys, lines and blocks.
var sizes = []int{5, 16, 100, 4096}

func bytesBenchmarks() {
	for _, size := range sizes {
		b := bytes.Repeat([]byte{'a'}, size)
		c := bytes.Clone(b)
		s, t := string(b), string(c)
		tail := append(bytes.Repeat([]byte{'a'}, size), "needle"...)
		name := func(s string) string { return fmt.Sprintf("%s-%d", s, size) }
		measure(name("IndexByte"), func(n int) {
			sum := 0
			for range n {
				sum += bytes.IndexByte(b, 'x')
			}
			sinkInt += sum
		})
		measure(name("IndexByteString"), func(n int) {
			sum := 0
			for range n {
				sum += strings.IndexByte(s, 'x')
			}
			sinkInt += sum
		})
		measure(name("LastIndexByte"), func(n int) {
			sum := 0
			for range n {
				sum += bytes.LastIndexByte(b, 'x')
			}
			sinkInt += sum
		})
		measure(name("Count"), func(n int) {
			sum := 0
			for range n {
				sum += bytes.Count(b, []byte{'a'})
			}
			sinkInt += sum
		})
		measure(name("Compare"), func(n int) {
			sum := 0
			for range n {
				sum += bytes.Compare(b, c)
			}
			sinkInt += sum
		})
		measure(name("CompareString"), func(n int) {
			for range n {
				sinkBool = s < t
			}
		})
		measure(name("Equal"), func(n int) {
			for range n {
				sinkBool = bytes.Equal(b, c)
			}
		})
		measure(name("EqualString"), func(n int) {
			for range n {
				sinkBool = s == t
			}
		})
		measure(name("Index"), func(n int) {
			sum := 0
			for range n {
				sum += bytes.Index(tail, []byte("needle"))
			}
			sinkInt += sum
		})
		measure(name("IndexString"), func(n int) {
			text := string(tail)
			sum := 0
			for range n {
				sum += strings.Index(text, "needle")
			}
			sinkInt += sum
		})
		measure(name("IndexAny"), func(n int) {
			sum := 0
			for range n {
				sum += strings.IndexAny(s, "xyz")
			}
			sinkInt += sum
		})
		measure(name("copy"), func(n int) {
			sum := 0
			for range n {
				sum += copy(b, c)
			}
			sinkInt += sum
		})
		measure(name("copyoverlap"), func(n int) {
			sum := 0
			for range n {
				sum += copy(b[1:], b)
			}
			sinkInt += sum
		})
		measure(name("clear"), func(n int) {
			for range n {
				clear(b)
			}
		})
	}
}
