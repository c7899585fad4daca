package lower

// IsIntrinsic reports whether the compiler expands calls of the function with this symbol itself
// (and defines the symbol if the function has no body).
func IsIntrinsic(symbol string) bool { return intrinsics[symbol] != nil }

// RuntimeEntries returns the names of the functions of package runtime that compiled code calls
// without a declaration in Go.
func RuntimeEntries() []string {
	var names []string
	for n := range rtDecls {
		names = append(names, n)
	}
	return names
}
