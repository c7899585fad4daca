package main

// states writes a state machine of n states, as lexers and protocol decoders are generated.
func states(w *source, n int) {
	w.f("// run reads text and says how often each of the eight actions was taken.")
	w.f("func run(text []byte) (taken [8]int) {\nstate := 0\nsum := 0\nfor _, c := range text {\nswitch state {")
	r := sequence(7)
	for i := range n {
		to := func() int { // mostly nearby, as words lead from letter to letter
			if r.next(4) == 0 {
				return r.next(n)
			}
			return (i + 1 + r.next(16)) % n
		}
		w.f("case %d:", i)
		switch r.next(8) {
		case 0, 1, 2:
			w.f("if c == %d {\nstate = %d\n} else {\nstate = %d\ntaken[%d]++\n}", 'a'+r.next(26), to(), to(), r.next(8))
		case 3:
			w.f("switch {\ncase c < %d:\nstate = %d\ncase c < %d:\nstate = %d\nsum += int(c)\ndefault:\nstate = %d\n}", 'a'+r.next(13), to(), 'n'+r.next(13), to(), to())
		case 4:
			w.f("switch c {\ncase 'a', 'e', 'i', 'o', 'u':\nstate = %d\ncase 't', 'n':\nstate = %d\ndefault:\nstate = %d\ntaken[%d] += sum & 1\n}", to(), to(), to(), r.next(8))
		default:
			w.f("state = %d\nif c&%d != 0 {\nstate = %d\nsum ^= int(c) << %d\n}", to(), 1<<r.next(3), to(), r.next(8))
		}
	}
	w.f("}\n}\ntaken[0] += sum\nreturn taken\n}")
}
