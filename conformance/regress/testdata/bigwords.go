// Random arithmetic of math/big on numbers of 1 to 20 words, also in place, by shifts of 0 to 199: a checksum. Up to 16 words the code is
// where the assembly would be called.
package main

import (
	"fmt"
	"hash/fnv"
	"math/big"
	"math/rand"
)

var ops = []func(z, x, y *big.Int, s uint){
	func(z, x, y *big.Int, s uint) { z.Add(x, y) },
	func(z, x, y *big.Int, s uint) { z.Sub(x, y) },
	func(z, x, y *big.Int, s uint) { z.Mul(x, y) },
	func(z, x, _ *big.Int, s uint) { z.Lsh(x, s) },
	func(z, x, _ *big.Int, s uint) { z.Rsh(x, s) },
	func(z, x, y *big.Int, s uint) { z.Quo(x, y) },
	func(z, x, y *big.Int, s uint) { z.Rem(x, y) },
	func(z, x, _ *big.Int, s uint) { z.Mul(x, x) },
	func(z, _, _ *big.Int, s uint) { z.Lsh(z, s).Rsh(z, s/2) },
}

func main() {
	r := rand.New(rand.NewSource(7))
	num := func() *big.Int {
		words := make([]big.Word, 1+r.Intn(20))
		for i := range words {
			switch r.Intn(4) {
			case 0:
				words[i] = 0
			case 1:
				words[i] = ^big.Word(0)
			default:
				words[i] = big.Word(r.Uint64())
			}
		}
		words[len(words)-1] |= 1
		return new(big.Int).SetBits(words)
	}
	h := fnv.New64a()
	for i := range 300_000 {
		x, y, z := num(), num(), num()
		if r.Intn(2) == 0 {
			x.Neg(x)
		}
		s := uint(r.Intn(200))
		switch r.Intn(3) {
		case 0:
			z = x
		case 1:
			z = y
		}
		ops[i%len(ops)](z, x, y, s)
		h.Write(z.Bytes())
		if i%1000 == 0 {
			h.Write([]byte(z.String()))
		}
	}
	fmt.Println(h.Sum64())
}
