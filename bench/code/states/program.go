// Package states is a state machine of 5,000 states in one function, made by bench/code/generate:
// what generators of lexers and of protocol decoders write.
package states

var text = func() []byte {
	b := make([]byte, 1<<20)
	seed := uint32(1)
	for i := range b {
		seed = seed*1664525 + 1013904223
		b[i] = byte('a' + seed>>16%26)
	}
	return b
}()

// Run runs the machine over a megabyte.
func Run() int {
	taken := run(text)
	return taken[0] + taken[1]*3 + taken[7]*5
}
