package mid

// Body returns f's blocks, nil if it has none.
func (f *Func) Body() []*Block {
	if f.state == bodyWaiting {
		f.state = bodyMade
		f.Prog.source.Body(f)
		Check(f, "making")
		if f.Prog.Prepare != nil {
			f.Prog.Prepare(f)
		}
	}
	return f.blocks
}

// HasBody reports whether f's code is known.
func (f *Func) HasBody() bool { return f.state != bodyNone }

// SetBody gives f its blocks, numbers them, and finds their dominators. recover is where a call
// goes on that recovered from a panic, nil if f defers nothing.
func (f *Func) SetBody(blocks []*Block, recover *Block) {
	f.state = bodyMade
	f.blocks, f.recover = blocks, recover
	for i, b := range blocks {
		b.Index, b.parent = i, f
	}
	f.findDominators()
	f.derived = nil
}

// Recover returns the block where a call of f goes on that recovered from a panic, nil if f defers
// nothing.
func (f *Func) Recover() *Block {
	f.Body()
	return f.recover
}

// AnonFuncs returns the literals and loop bodies directly in f, in order of the source.
func (f *Func) AnonFuncs() []*Func {
	f.Body()
	return f.literals
}
