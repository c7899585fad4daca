package main

import (
	"math"
	"math/big"
	"math/rand/v2"
)

type body struct{ x, y, z, vx, vy, vz, mass float64 }

func nbody() {
	bodies := []body{
		{0, 0, 0, 0, 0, 0, 39.47},
		{4.84, -1.16, -0.10, 0.60, 2.81, -0.02, 0.037},
		{8.34, 4.12, -0.4, -1.01, 1.82, 0.008, 0.011},
		{12.89, -15.11, -0.22, 1.08, 0.86, -0.01, 0.0017},
		{15.37, -25.9, 0.17, 0.97, 0.59, -0.03, 0.002},
	}
	for range 50_000 {
		for i := range bodies {
			a := &bodies[i]
			for j := i + 1; j < len(bodies); j++ {
				b := &bodies[j]
				dx, dy, dz := a.x-b.x, a.y-b.y, a.z-b.z
				d2 := dx*dx + dy*dy + dz*dz
				mag := 0.01 / (d2 * math.Sqrt(d2))
				a.vx -= dx * b.mass * mag
				a.vy -= dy * b.mass * mag
				a.vz -= dz * b.mass * mag
				b.vx += dx * a.mass * mag
				b.vy += dy * a.mass * mag
				b.vz += dz * a.mass * mag
			}
		}
		for i := range bodies {
			b := &bodies[i]
			b.x += 0.01 * b.vx
			b.y += 0.01 * b.vy
			b.z += 0.01 * b.vz
		}
	}
	sinkF += bodies[0].x
}

func evalA(i, j int) float64 { return 1 / float64((i+j)*(i+j+1)/2+i+1) }

func times(v, u []float64, transpose bool) {
	for i := range v {
		a := 0.0
		for j := range u {
			if transpose {
				a += evalA(j, i) * u[j]
			} else {
				a += evalA(i, j) * u[j]
			}
		}
		v[i] = a
	}
}

func spectralNorm() {
	const n = 200
	u, v, t := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range u {
		u[i] = 1
	}
	for range 10 {
		times(t, u, false)
		times(v, t, true)
		times(t, v, false)
		times(u, t, true)
	}
	sinkF += u[0]
}

func fannkuch() {
	const n = 9
	perm1, perm, count := make([]int, n), make([]int, n), make([]int, n)
	for i := range perm1 {
		perm1[i] = i
	}
	flipsMax, r := 0, n
	for {
		for ; r != 1; r-- {
			count[r-1] = r
		}
		copy(perm, perm1)
		flips := 0
		for k := perm[0]; k != 0; k = perm[0] {
			for i, j := 0, k; i < j; i, j = i+1, j-1 {
				perm[i], perm[j] = perm[j], perm[i]
			}
			flips++
		}
		flipsMax = max(flipsMax, flips)
		for {
			if r == n {
				sink += flipsMax
				return
			}
			p0 := perm1[0]
			for i := 0; i < r; i++ {
				perm1[i] = perm1[i+1]
			}
			perm1[r] = p0
			count[r]--
			if count[r] > 0 {
				break
			}
			r++
		}
	}
}

func mandelbrot() {
	const n = 200
	for y := range n {
		for x := range n {
			cr, ci := 2*float64(x)/n-1.5, 2*float64(y)/n-1
			zr, zi, tr, ti := 0.0, 0.0, 0.0, 0.0
			i := 0
			for ; i < 50 && tr+ti <= 4; i++ {
				zi = 2*zr*zi + ci
				zr = tr - ti + cr
				tr, ti = zr*zr, zi*zi
			}
			sink += i
		}
	}
}

func matrix() {
	const n = 120
	var a, b, c [n][n]float64
	for i := range n {
		for j := range n {
			a[i][j], b[i][j] = float64(i+j), float64(i-j)
		}
	}
	for i := range n {
		for j := range n {
			s := 0.0
			for k := range n {
				s += a[i][k] * b[k][j]
			}
			c[i][j] = s
		}
	}
	sinkF += c[3][4]
}

func matrixRows() {
	const n = 120
	rows := func() [][]float64 {
		m := make([][]float64, n)
		for i := range m {
			m[i] = make([]float64, n)
			for j := range m[i] {
				m[i][j] = float64(i ^ j)
			}
		}
		return m
	}
	a, b, c := rows(), rows(), rows()
	for i := range n {
		for j := range n {
			s := 0.0
			for k := 0; k < n; k++ {
				s += a[i][k] * b[k][j]
			}
			c[i][j] = s
		}
	}
	sinkF += c[3][4]
}

func sieve() {
	composite := make([]bool, 1_000_000)
	for i := 2; i < len(composite); i++ {
		if !composite[i] {
			sink++
			for j := i * 2; j < len(composite); j += i {
				composite[j] = true
			}
		}
	}
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func division() {
	s := uint64(0)
	for i := range uint64(2_000_000) {
		s += i/10 + i%7 + uint64(int64(i)/100) + uint64(int32(i)%13)
	}
	d := uint64(sink&7) + 3
	for i := range uint64(1_000_000) {
		s += i / d
	}
	sink += int(s)
}

func bounds() {
	a := make([]int, 4096)
	for range 300 {
		for i := 1; i < len(a)-1; i++ {
			a[i] = a[i-1] + a[i+1] ^ i
		}
	}
	sink += a[100]
}

func crcTable() {
	var table [256]uint32
	for i := range table {
		c := uint32(i)
		for range 8 {
			if c&1 != 0 {
				c = c>>1 ^ 0xedb88320
			} else {
				c >>= 1
			}
		}
		table[i] = c
	}
	data := make([]byte, 1<<20)
	c := ^uint32(0)
	for _, b := range data {
		c = table[byte(c)^b] ^ c>>8
	}
	sink += int(c)
}

func levenshtein() {
	a, b := "kitten sitting on the mat and sitting", "sitting kitten at the mall and knitting"
	for range 200 {
		row := make([]int, len(b)+1)
		for j := range row {
			row[j] = j
		}
		for i := range len(a) {
			previous := row[0]
			row[0] = i + 1
			for j := range len(b) {
				cost := previous
				if a[i] != b[j] {
					cost = 1 + min(previous, row[j], row[j+1])
				}
				previous, row[j+1] = row[j+1], cost
			}
		}
		sink += row[len(b)]
	}
}

func bigPi() {
	// Digits of pi by Machin's formula.
	unity := new(big.Int).Exp(big.NewInt(10), big.NewInt(1000), nil)
	arctan := func(x int64) *big.Int {
		term := new(big.Int).Quo(unity, big.NewInt(x))
		sum, n, square := new(big.Int).Set(term), int64(3), big.NewInt(x*x)
		t := new(big.Int)
		for sign := -1; term.Sign() != 0; sign, n = -sign, n+2 {
			term.Quo(term, square)
			t.Quo(term, big.NewInt(n))
			if sign < 0 {
				sum.Sub(sum, t)
			} else {
				sum.Add(sum, t)
			}
		}
		return sum
	}
	pi := arctan(5)
	pi.Mul(pi, big.NewInt(4)).Sub(pi, arctan(239))
	sink += len(pi.String())
}

func random() {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500_000 {
		sink += r.IntN(1000)
	}
	below := 0 // how many numbers were in range: those of std's own source differ from run to run
	for range 500_000 {
		if n := rand.IntN(1000); n >= 0 && n < 1000 {
			below++
		}
	}
	sink += below
}
