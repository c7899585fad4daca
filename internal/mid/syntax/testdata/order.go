package p

type state struct{ n int }

func (s *state) next() int { s.n++; return s.n }

type pair struct{ a, b int }

// X is read after the call.
func readLast(s *state) (int, int) { return s.n, s.next() }

// A comparison and what it reads stay in front of what hangs on it, sums move.
func logic(s *state, on bool) (int, bool) { return s.n, on && s.next() > 2 }

// Stores into a literal, and lookups in maps.
func literal(s *state, m map[string]int) (pair, int) { return pair{s.n, 1}, m["k"] + s.next() }

// A receive is a call.
func receive(s *state, c chan int) (int, int) { return s.n, <-c }
