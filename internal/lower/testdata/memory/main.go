// Memory copies, clears and compares blocks of all small sizes and many alignments, and counts what is wrong.
package main

import (
	"bytes"
	"fmt"
)

func main() {
	buf, want, src := make([]byte, 3000), make([]byte, 3000), make([]byte, 3000)
	for i := range src {
		src[i] = byte(i*7 + i>>8)
	}
	bad := 0
	for n := 0; n < 1200; n++ {
		step := 1
		if n > 300 {
			step = 13
		}
		for d := -140; d <= 140; d += step {
			from, to := 300, 300+d
			copy(buf, src)
			copy(want, src)
			for i := range n {
				want[to+i] = src[from+i]
			}
			copy(buf[to:to+n], buf[from:from+n])
			for i := range buf {
				if buf[i] != want[i] {
					bad++
					break
				}
			}
		}
		copy(buf, src)
		clear(buf[3 : 3+n])
		for i := range buf {
			w := src[i]
			if i >= 3 && i < 3+n {
				w = 0
			}
			if buf[i] != w {
				bad++
				break
			}
		}
	}
	for n := 0; n < 700; n++ {
		a, b := bytes.Clone(src[:n]), bytes.Clone(src[:n])
		if !bytes.Equal(a, b) || bytes.Compare(a, b) != 0 {
			bad++
		}
		for i := 0; i < n; i++ {
			b[i] ^= 0x81
			w := 1
			if a[i] < b[i] {
				w = -1
			}
			if bytes.Equal(a, b) || bytes.Compare(a, b) != w || string(a) == string(b) {
				bad++
			}
			if j := (i + 70) % n; j > i {
				b[j]++
				if bytes.Compare(a, b) != w {
					bad++
				}
				b[j]--
			}
			b[i] ^= 0x81
		}
	}
	fmt.Println("bad", bad)
}
