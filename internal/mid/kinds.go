package mid

// IsWrapper reports whether f was made to delegate to a method.
func (f *Func) IsWrapper() bool { return f.Kind == Wrapper || f.Kind == Thunk || f.Kind == Bound }

// Outermost is the declared function that f is, or is a literal in.
func (f *Func) Outermost() *Func {
	for f.Parent() != nil {
		f = f.Parent()
	}
	return f
}

// Declaration is the function, generic if it is an instance, whose declaration f is or is in.
func (f *Func) Declaration() *Func {
	f = f.Outermost()
	if o := f.Origin(); o != nil {
		return o
	}
	return f
}

// DeclaredIn is the package whose source f is from, nil for wrappers.
func (f *Func) DeclaredIn() *Package { return f.Declaration().Pkg }
