package load

import (
	"bytes"
	"go/ast"
	"go/token"
)

// lineSet has the files of a file set without columns. Export data that was read has none, and
// what a package exports must not depend on how its imports were read.
type lineSet struct {
	fset  *token.FileSet
	known int                  // where the files end that it has
	moved map[*token.File]bool // with line directives
}

// note is told of each file that is parsed, with its text. Only files with line directives are
// searched for them: looking at each line of all that a program imports takes longer than the rest
// of what exporting costs.
func (s *lineSet) note(from *token.FileSet, f *ast.File, text []byte) {
	if f == nil || !bytes.Contains(text, []byte("//line ")) && !bytes.Contains(text, []byte("/*line ")) {
		return
	}
	if s.moved == nil {
		s.moved = map[*token.File]bool{}
	}
	s.moved[from.File(f.FileStart)] = true
}

// of returns the set of what from has by now.
func (s *lineSet) of(from *token.FileSet) *token.FileSet {
	if s.fset == nil {
		s.fset = token.NewFileSet()
	}
	from.Iterate(func(f *token.File) bool {
		if f.Base() < s.known {
			return true
		}
		s.known = f.Base() + f.Size() + 1
		made := s.fset.AddFile(f.Name(), f.Base(), f.Size())
		lines := f.Lines()
		made.SetLines(lines)
		if !s.moved[f] {
			made.AddLineColumnInfo(0, f.Name(), 1, 0)
			return true
		}
		// What follows an entry without a column, up to the next entry, has none.
		next := token.Position{Filename: f.Name(), Line: 0}
		for i, offset := range lines {
			if offset >= f.Size() {
				break
			}
			at := f.Position(f.Pos(offset))
			if i == 0 || at.Filename != next.Filename || at.Line != next.Line {
				made.AddLineColumnInfo(offset, at.Filename, at.Line, 0)
			}
			next = token.Position{Filename: at.Filename, Line: at.Line + 1}
		}
		return true
	})
	return s.fset
}
