package mid

// BuiltinID says which built-in function it is.
type BuiltinID uint8

// The built-in functions that are called in functions: the language's, those of package unsafe, and
// two that no source names. What else the language has is no call: make and new, what is constant,
// and panic but in go and defer statements.
const (
	NoBuiltin BuiltinID = iota // something else is called

	BuiltinAppend
	BuiltinCap
	BuiltinClear
	BuiltinClose
	BuiltinComplex
	BuiltinCopy
	BuiltinDelete
	BuiltinImag
	BuiltinLen
	BuiltinMax
	BuiltinMin
	BuiltinPanic
	BuiltinPrint
	BuiltinPrintln
	BuiltinReal
	BuiltinRecover

	BuiltinUnsafeAdd
	BuiltinUnsafeSlice
	BuiltinUnsafeSliceData
	BuiltinUnsafeString
	BuiltinUnsafeStringData

	BuiltinDeferStack // returns what Defer's DeferStack is
	// returns its first argument, the receiver of a method with the names that follow, but panics if
	// it is nil
	BuiltinCheckNil

	Builtins // how many there are, NoBuiltin included
)

// builtinNames are the names in the source, or in texts for people.
var builtinNames = [Builtins]string{
	BuiltinAppend: "append", BuiltinCap: "cap", BuiltinClear: "clear", BuiltinClose: "close", BuiltinComplex: "complex",
	BuiltinCopy: "copy", BuiltinDelete: "delete", BuiltinImag: "imag", BuiltinLen: "len", BuiltinMax: "max", BuiltinMin: "min",
	BuiltinPanic: "panic", BuiltinPrint: "print", BuiltinPrintln: "println", BuiltinReal: "real", BuiltinRecover: "recover",

	BuiltinUnsafeAdd: "Add", BuiltinUnsafeSlice: "Slice", BuiltinUnsafeSliceData: "SliceData", BuiltinUnsafeString: "String",
	BuiltinUnsafeStringData: "StringData",

	BuiltinDeferStack: "deferstack", BuiltinCheckNil: "wrapnilchk",
}

func (id BuiltinID) String() string { return builtinNames[id] }

// BuiltinNamed returns the built-in function that the source calls by that name, NoBuiltin if it is
// never called.
func BuiltinNamed(name string) BuiltinID {
	for id, n := range builtinNames[:BuiltinDeferStack] {
		if n == name {
			return BuiltinID(id)
		}
	}
	return NoBuiltin
}
