package toolchain

import (
	"os"
	"path/filepath"

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
	// the directory in which C's preprocessor finds headers; "": it is not run
	Headers string
	// what its line table calls the file, whose last element the suffix ends with, behind a slash; "":
	// it has none
	Shown string
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
	if a.Shown != "" {
		args = append(append(args, LineFlags...), "-fdebug-prefix-map="+filepath.Dir(name)+"="+filepath.Dir(a.Shown))
	}
	if a.Headers != "" {
		args = append(args, "-I"+a.Headers, "-x", "assembler-with-cpp", name)
	} else {
		args = append(args, "-x", "assembler", name)
	}
	return t.object(pkg, object, args, assembling)
}
