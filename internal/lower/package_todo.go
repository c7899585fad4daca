package lower

// Package lowers one SSA package to LLVM assembly text.
func Package(in *Input) (*Output, error) { return nil, errNotYet }
