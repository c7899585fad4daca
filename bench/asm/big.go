package main

import (
	"fmt"
	"math/big"
)

func bigBenchmarks() {
	for _, words := range []int{1, 8, 64, 1000} {
		ones := func(bits int) *big.Int {
			x := new(big.Int).Lsh(big.NewInt(1), uint(bits))
			return x.Sub(x, big.NewInt(12345))
		}
		x, y, z := ones(words*64), ones(words*64-3), new(big.Int)
		name := func(s string) string { return fmt.Sprintf("big-%s-%d", s, words) }
		measure(name("add"), func(n int) {
			for range n {
				z.Add(x, y)
			}
		})
		measure(name("sub"), func(n int) {
			for range n {
				z.Sub(x, y)
			}
		})
		measure(name("mul"), func(n int) {
			for range n {
				z.Mul(x, y)
			}
		})
		measure(name("sqr"), func(n int) {
			for range n {
				z.Mul(x, x)
			}
		})
		measure(name("lsh"), func(n int) {
			for range n {
				z.Lsh(x, 17)
			}
		})
		measure(name("rsh"), func(n int) {
			for range n {
				z.Rsh(x, 17)
			}
		})
		square := new(big.Int).Mul(x, x)
		r := new(big.Int)
		measure(name("div"), func(n int) {
			for range n {
				z.QuoRem(square, y, r)
			}
		})
		if words > 64 {
			continue
		}
		measure(name("string"), func(n int) {
			for range n {
				sinkInt += len(x.String())
			}
		})
		if words == 1 || words == 64 {
			continue
		}
		m := new(big.Int).Sub(x, big.NewInt(0))
		m.SetBit(m, 0, 1)
		measure(name("exp"), func(n int) {
			for range n {
				z.Exp(y, y, m)
			}
		})
	}
	measure("big-fib-10000", func(n int) {
		for range n {
			a, b := big.NewInt(0), big.NewInt(1)
			for range 10000 {
				a.Add(a, b)
				a, b = b, a
			}
		}
	})
}
