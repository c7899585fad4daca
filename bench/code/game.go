package main

import (
	"bytes"
	"regexp"
	"slices"
)

// Programs of the Benchmarks Game, which languages are compared with; nbody, spectral norm,
// fannkuch and mandelbrot are in numeric.go, pidigits is bigPi, binary-trees binaryTrees.

// A lottery is the Game's linear congruential generator.
type lottery uint32

func (r *lottery) next(limit float64) float64 {
	const modulus, factor, summand = 139968, 3877, 29573
	*r = (*r*factor + summand) % modulus
	return limit * float64(*r) / modulus
}

type frequency struct {
	letter byte
	p      float64 // of this letter or one before it
}

// cumulative adds up the chances of letters.
func cumulative(letters string, p ...float64) []frequency {
	list := make([]frequency, len(letters))
	sum := 0.0
	for i := range letters {
		sum += p[i]
		list[i] = frequency{letters[i], sum}
	}
	return list
}

var bases = cumulative("acgtBDHKMNRSVWY", 0.27, 0.12, 0.12, 0.27, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02)

// dna makes a sequence of n letters, in lines of 60.
func dna(n int) []byte {
	r := lottery(42)
	out := make([]byte, 0, n+n/60+1)
	for i := range n {
		x := r.next(1)
		letter := bases[len(bases)-1].letter
		for _, f := range bases {
			if x < f.p {
				letter = f.letter
				break
			}
		}
		out = append(out, letter)
		if i%60 == 59 {
			out = append(out, '\n')
		}
	}
	return out
}

func fasta() { sink += len(dna(100_000)) }

var sequence = dna(200_000)

var complements = func() (table [256]byte) {
	from, to := "ACGTUMRWSYKVHDBNacgtumrwsykvhdbn", "TGCAAKYWSRMBDHVNTGCAAKYWSRMBDHVN"
	for i := range table {
		table[i] = byte(i)
	}
	for i := range from {
		table[from[i]] = to[i]
	}
	return table
}()

// reverseComplement turns the sequence round letter by letter and leaves the ends of lines where
// they are.
func reverseComplement() {
	s := bytes.Clone(sequence)
	for i, j := 0, len(s)-1; i < j; {
		switch {
		case s[i] == '\n':
			i++
		case s[j] == '\n':
			j--
		default:
			s[i], s[j] = complements[s[j]], complements[s[i]]
			i++
			j--
		}
	}
	sink += int(s[0]) + int(s[len(s)/2])
}

// kNucleotide counts the fragments of some lengths by a map with a packed key.
func kNucleotide() {
	code := [256]uint64{'a': 1, 'c': 2, 'g': 3, 't': 4}
	var letters []byte
	for _, c := range sequence {
		if code[c] != 0 {
			letters = append(letters, byte(code[c])-1)
		}
	}
	for _, k := range []int{1, 2, 4, 12} {
		counts := map[uint64]int{}
		key, mask := uint64(0), uint64(1)<<(2*k)-1
		for i, c := range letters {
			key = (key<<2 | uint64(c)) & mask
			if i >= k-1 {
				counts[key]++
			}
		}
		most := 0
		for _, n := range counts {
			most = max(most, n)
		}
		sink += most + len(counts)
	}
}

var variants = []*regexp.Regexp{
	regexp.MustCompile("agggtaaa|tttaccct"), regexp.MustCompile("[cgt]gggtaaa|tttaccc[acg]"),
	regexp.MustCompile("aggg[acg]aaa|ttt[cgt]ccct"),
}

func regexRedux() {
	text := slices.DeleteFunc(bytes.Clone(sequence[:40_000]), func(c byte) bool { return c == '\n' })
	for _, v := range variants {
		sink += len(v.FindAllIndex(text, -1))
	}
}

// queens counts the ways to put n queens on a board, with a bit a column and diagonal.
func queens(all, columns, left, right uint) (n int) {
	if columns == all {
		return 1
	}
	for free := all &^ (columns | left | right); free != 0; {
		bit := free & -free
		free ^= bit
		n += queens(all, columns|bit, (left|bit)<<1, (right|bit)>>1)
	}
	return n
}

func nQueens() { sink += queens(1<<11-1, 0, 0, 0) }

// life plays Conway's game on a torus.
func life() {
	const n = 128
	board, next := make([][]byte, n), make([][]byte, n)
	r := lottery(7)
	for y := range n {
		board[y], next[y] = make([]byte, n), make([]byte, n)
		for x := range n {
			board[y][x] = byte(r.next(2))
		}
	}
	for range 10 {
		for y := range n {
			up, down := board[(y+n-1)%n], board[(y+1)%n]
			row := board[y]
			for x := range n {
				l, r := (x+n-1)%n, (x+1)%n
				around := up[l] + up[x] + up[r] + row[l] + row[r] + down[l] + down[x] + down[r]
				switch {
				case around == 3, around == 2 && row[x] == 1:
					next[y][x] = 1
				default:
					next[y][x] = 0
				}
			}
		}
		board, next = next, board
	}
	for _, row := range board {
		for _, c := range row {
			sink += int(c)
		}
	}
}
