package link

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"

	"loam/internal/dwarfdata"
	"loam/internal/pool"
	"loam/internal/store"
	"loam/internal/symtab"
)

// outlineKind is the kind of files with outlines of objects (internal/symtab). One that is empty
// says that the object has none.
const outlineKind = "outline"

// outlines returns those of a program's objects. If one has none the table is made of the debug
// information that the linker writes, and is the same. So it is for a program with C, because the C
// compiler adds objects.
func (l *Linker) outlines(p *Program, keys, files []string) (all [][]byte, err error) {
	if p.hasC() || l.DryRun {
		return nil, nil
	}
	roots := fmt.Sprint(l.Load.Roots())
	all = make([][]byte, len(keys))
	bundled := l.bundledObjects(p, keys)
	l.readOutlines(bundled, roots, all)
	faults := make([]error, len(keys))
	makers := pool.New(l.Parallel)
	for i, key := range keys {
		if all[i] != nil {
			continue
		}
		makers.Do(0, func() {
			h := store.NewHasher("outline")
			h.Add("compiler", l.CompilerID)
			h.Add("roots", roots)
			h.Add("object", key)
			if all[i], faults[i] = l.outline(h.Sum(), files[i]); faults[i] != nil {
				faults[i] = fmt.Errorf("%s: debug information: %w", files[i], faults[i])
			}
		})
	}
	makers.Wait()
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	for _, outline := range all {
		if len(outline) == 0 {
			return nil, nil
		}
	}
	return all, nil
}

// outlinesKey names the outlines of all objects of a bundle.
func (l *Linker) outlinesKey(objects []string, roots string) string {
	h := store.NewHasher("outlines")
	h.Add("compiler", l.CompilerID)
	h.Add("roots", roots)
	for _, key := range objects {
		h.Add("object", key)
	}
	return h.Sum()
}

// keepOutlines stores those of a bundle's objects in one file, because to read hundreds takes
// longer.
func (l *Linker) keepOutlines(objects []string, all [][]byte) error {
	var data []byte
	for _, outline := range all {
		data = append(binary.AppendUvarint(data, uint64(len(outline))), outline...)
	}
	return l.Cache.Local().Write(l.outlinesKey(objects, fmt.Sprint(l.Load.Roots())), outlineKind, data)
}

// readOutlines sets those of the objects of a bundle, which follow the startup object's, if they
// are in one file.
func (l *Linker) readOutlines(objects []string, roots string, all [][]byte) {
	data, err := l.Cache.Local().Read(l.outlinesKey(objects, roots), outlineKind)
	if err != nil || len(objects) == 0 {
		return
	}
	list := make([][]byte, 0, len(objects))
	for r := (dwarfdata.Reader{B: data}); r.More(); {
		if outline := r.Take(int(r.Uleb())); !r.Bad {
			list = append(list, outline)
		}
	}
	if len(list) == len(objects) {
		copy(all[startupObjects:], list)
	}
}

// outline takes an outline from the cache, or makes it of an object if the cache can keep it: only
// then it takes less time than a table without outlines.
func (l *Linker) outline(key, object string) ([]byte, error) {
	if outline, err := l.Cache.ReadIf(key, outlineKind); err == nil || l.Cache.Writable() != nil {
		return outline, nil
	}
	data, err := os.ReadFile(object)
	if err != nil {
		return nil, err
	}
	outline, _, err := symtab.Outline(data, l.Load.Roots().Real)
	if err != nil {
		return nil, err
	}
	return outline, l.Cache.Write(key, outlineKind, outline)
}

// discardScript is a linker script that leaves out the debug information which only the table would
// need: outlines have it. The frames say where functions have come to lie.
func discardScript() string {
	return "SECTIONS { /DISCARD/ : { *(" + strings.Join(discarded, " ") + ") } } INSERT AFTER .text;\n"
}

var discarded = []string{".debug_info", ".debug_abbrev", ".debug_line", ".debug_str", ".debug_ranges", ".debug_loc", ".debug_aranges"}
