package mid

import "slices"

func (in *Alloc) copy() Instr { made := *in; return &made }

func (in *Phi) copy() Instr {
	made := *in
	made.Edges = slices.Clone(in.Edges)
	return &made
}

func (in *Call) copy() Instr {
	made := *in
	made.Call.Args = slices.Clone(in.Call.Args)
	return &made
}
func (in *BinOp) copy() Instr               { made := *in; return &made }
func (in *UnOp) copy() Instr                { made := *in; return &made }
func (in *ChangeType) copy() Instr          { made := *in; return &made }
func (in *Convert) copy() Instr             { made := *in; return &made }
func (in *Whole) copy() Instr               { made := *in; return &made }
func (in *ChangeInterface) copy() Instr     { made := *in; return &made }
func (in *SliceToArrayPointer) copy() Instr { made := *in; return &made }
func (in *MakeInterface) copy() Instr       { made := *in; return &made }

func (in *MakeClosure) copy() Instr {
	made := *in
	made.Bindings = slices.Clone(in.Bindings)
	return &made
}
func (in *MakeMap) copy() Instr   { made := *in; return &made }
func (in *MakeChan) copy() Instr  { made := *in; return &made }
func (in *MakeSlice) copy() Instr { made := *in; return &made }
func (in *Slice) copy() Instr     { made := *in; return &made }
func (in *FieldAddr) copy() Instr { made := *in; return &made }
func (in *Field) copy() Instr     { made := *in; return &made }
func (in *IndexAddr) copy() Instr { made := *in; return &made }
func (in *Index) copy() Instr     { made := *in; return &made }
func (in *Lookup) copy() Instr    { made := *in; return &made }

func (in *Select) copy() Instr {
	made := *in
	made.States = make([]*SelectState, len(in.States))
	for i, s := range in.States {
		state := *s
		made.States[i] = &state
	}
	return &made
}
func (in *Range) copy() Instr      { made := *in; return &made }
func (in *Next) copy() Instr       { made := *in; return &made }
func (in *TypeAssert) copy() Instr { made := *in; return &made }
func (in *Extract) copy() Instr    { made := *in; return &made }
func (in *Jump) copy() Instr       { made := *in; return &made }
func (in *If) copy() Instr         { made := *in; return &made }

func (in *Return) copy() Instr {
	made := *in
	made.Results = slices.Clone(in.Results)
	return &made
}
func (in *RunDefers) copy() Instr { made := *in; return &made }
func (in *Panic) copy() Instr     { made := *in; return &made }

func (in *Go) copy() Instr {
	made := *in
	made.Call.Args = slices.Clone(in.Call.Args)
	return &made
}

func (in *Defer) copy() Instr {
	made := *in
	made.Call.Args = slices.Clone(in.Call.Args)
	return &made
}
func (in *Send) copy() Instr      { made := *in; return &made }
func (in *Store) copy() Instr     { made := *in; return &made }
func (in *MapUpdate) copy() Instr { made := *in; return &made }
