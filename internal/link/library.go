package link

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"loam/internal/archive"
	"loam/internal/finish"
	"loam/internal/toolchain"
)

// A library for C's programs (-buildmode=c-shared, c-archive) is linked as a program with C is, but
// begins with a constructor (overlay/runtime/cgo), and shows what Go exports to C, and what its C
// has. An archive is made of a linked library (package archive).

// libraryFlags are those of the C compiler for a library.
func (l *Linker) libraryFlags(p *Program) ([]string, error) {
	exports, err := l.exports(p)
	if err != nil {
		return nil, err
	}
	flags := []string{"-shared", "-Wl,-z,nodelete", "-Wl,-z,text", "-Wl,-z,start-stop-visibility=hidden", "-Wl,--version-script=" + exports,
		"-Wl,--defsym=loam.text_start=ADDR(.text)", "-Wl,--defsym=loam.linked_text_address=ABSOLUTE(ADDR(.text))"}
	if l.Mode == toolchain.Archive {
		flags = append(flags, "-nostartfiles", "-Wl,--emit-relocs", "-Wl,--no-relax")
	}
	return flags, nil
}

// makeArchive makes an archive of a linked library.
func (l *Linker) makeArchive(made string) error {
	data, err := os.ReadFile(made)
	if err != nil {
		return err
	}
	table, variable, err := finish.Table(made, l.Load.Roots().Real)
	if err != nil {
		return err
	}
	object, err := archive.Object(data, table, variable)
	if err != nil {
		return err
	}
	if data, err = archive.Archive("go.o", object); err != nil {
		return err
	}
	return os.WriteFile(made, data, 0o666)
}

// exports writes the linker's list of what the library shows.
func (l *Linker) exports(p *Program) (file string, err error) {
	names := map[string]bool{}
	for _, n := range p.Packages {
		if n.C == nil {
			continue
		}
		files, err := l.objectFiles(n.C.Objects)
		if err != nil {
			return "", err
		}
		for _, name := range slices.Concat(files, n.C.Files) {
			if n.Path() == "runtime/cgo" || l.DryRun {
				continue
			}
			if err := shown(name, names); err != nil {
				return "", fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	var s strings.Builder
	s.WriteString("{\n")
	if len(names) > 0 {
		s.WriteString("global:\n")
	}
	for _, name := range slices.Sorted(keys(names)) {
		fmt.Fprintf(&s, "\t\"%s\";\n", name)
	}
	s.WriteString("local:\n\t*;\n};\n")
	return l.Intermediate(p.Main.ImportPath, ".exports", []byte(s.String()))
}

func keys(set map[string]bool) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range set {
			if !yield(name) {
				return
			}
		}
	}
}

// shown adds to names what an object of C shows to other objects, but for what cgo has made for
// itself.
func shown(object string, names map[string]bool) error {
	f, symbols, err := openSymbols(object)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, s := range symbols {
		if bind := elf.ST_BIND(s.Info); s.Section != elf.SHN_UNDEF && (bind == elf.STB_GLOBAL || bind == elf.STB_WEAK) &&
			elf.ST_VISIBILITY(s.Other) == elf.STV_DEFAULT && !strings.HasPrefix(s.Name, "_cgo") {
			names[s.Name] = true
		}
	}
	return nil
}

// writeHeader writes the header beside the library, if the main package exports something.
func (l *Linker) writeHeader(p *Program, out string) error {
	if !l.Mode.Library() || out == "" || p.Main.C == nil || p.Main.C.Header == "" {
		return nil
	}
	name := strings.TrimSuffix(out, filepath.Ext(out)) + ".h"
	return os.WriteFile(name, []byte(p.Main.C.Header), 0o666)
}
