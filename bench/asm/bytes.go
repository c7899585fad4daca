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
			for range n {
				sinkInt += bytes.IndexByte(b, 'x')
			}
		})
		measure(name("IndexByteString"), func(n int) {
			for range n {
				sinkInt += strings.IndexByte(s, 'x')
			}
		})
		measure(name("LastIndexByte"), func(n int) {
			for range n {
				sinkInt += bytes.LastIndexByte(b, 'x')
			}
		})
		measure(name("Count"), func(n int) {
			for range n {
				sinkInt += bytes.Count(b, []byte{'a'})
			}
		})
		measure(name("Compare"), func(n int) {
			for range n {
				sinkInt += bytes.Compare(b, c)
			}
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
			for range n {
				sinkInt += bytes.Index(tail, []byte("needle"))
			}
		})
		measure(name("IndexString"), func(n int) {
			text := string(tail)
			for range n {
				sinkInt += strings.Index(text, "needle")
			}
		})
		measure(name("IndexAny"), func(n int) {
			for range n {
				sinkInt += strings.IndexAny(s, "xyz")
			}
		})
		measure(name("copy"), func(n int) {
			for range n {
				sinkInt += copy(b, c)
			}
		})
		measure(name("copyoverlap"), func(n int) {
			for range n {
				sinkInt += copy(b[1:], b)
			}
		})
		measure(name("clear"), func(n int) {
			for range n {
				clear(b)
			}
		})
	}
}
