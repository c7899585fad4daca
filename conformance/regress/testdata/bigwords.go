// Random arithmetic of math/big on numbers of 1 to 20 words, also in place, by shifts of 0 to 199: a checksum. Up to 16 words the code is
// where the assembly would be called.
package main

import (
	"fmt"
	"hash/fnv"
	"math/big"
	"math/rand"
)

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
		switch i % 9 {
		case 0:
			z.Add(x, y)
		case 1:
			z.Sub(x, y)
		case 2:
			z.Mul(x, y)
		case 3:
			z.Lsh(x, s)
		case 4:
			z.Rsh(x, s)
		case 5:
			z.Quo(x, y)
		case 6:
			z.Rem(x, y)
		case 7:
			z.Mul(x, x)
		case 8:
			z.Lsh(z, s).Rsh(z, s/2)
		}
		h.Write(z.Bytes())
		if i%1000 == 0 {
			h.Write([]byte(z.String()))
		}
	}
	fmt.Println(h.Sum64())
}
