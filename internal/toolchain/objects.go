package toolchain

import (
	"os"

	"loam/internal/timeline"
)

// A Text is a file of LLVM text, and how an object is made of it.
type Text struct {
	File   string
	Flags  []string // of clang
	Recipe *Recipe  // nil if clang does it all by the flags
}

// Compile makes an object of LLVM text, for that package, and stores it under its key. The file is
// removed, unless the user keeps it.
func (t *Toolchain) Compile(pkg, object string, text Text, during *timeline.Span) error {
	defer t.Discard(text.File)
	args := append(text.Flags[:len(text.Flags):len(text.Flags)], "-x", "ir", text.File)
	if r := text.Recipe; r != nil {
		bitcode, err := t.prepare(pkg, r, text.File, during)
		if err != nil {
			return err
		}
		defer os.Remove(bitcode)
		args = r.finish(bitcode)
	}
	return t.object(pkg, object, args, during)
}

// Keep stores an object under its key, unless another build does that in the same moment.
func (t *Toolchain) Keep(object string, data []byte) error {
	defer t.Cache.Lock(object)()
	if t.Cache.Has(object, "o") && t.Cache.Usable(object) {
		return nil
	}
	t.Cache.NoteMade(object)
	return t.Cache.Write(object, "o", data)
}

// Assembly is a text for the assembler.
type Assembly struct {
	Suffix string // of the file's name, which the user may keep
	Text   []byte
	Lines  bool // it gets a line table, of the files that its marks name
}

// LineFlags make a line table of assembly.
var LineFlags = []string{"-g", "-fdebug-compilation-dir=."}

// Assemble makes an object of assembly, for that package, and stores it under its key.
func (t *Toolchain) Assemble(pkg, object string, a Assembly, lane *timeline.Lane) error {
	name, err := t.Intermediate(pkg, a.Suffix, a.Text)
	if err != nil {
		return err
	}
	defer t.Discard(name)
	assembling := lane.Begin(pkg, "assemble")
	defer assembling.End()
	args := t.AsmFlags()
	if a.Lines {
		args = append(args, LineFlags...)
	}
	return t.object(pkg, object, append(args, "-x", "assembler", name), assembling)
}
