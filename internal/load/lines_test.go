package load

import (
	"go/parser"
	"go/token"
	"testing"
)

// TestLines: a line set has the positions of the files that it is made of, but for columns.
func TestLines(t *testing.T) {
	texts := map[string]string{
		"plain.go":     "package p\n\nvar a = 1\n",
		"moved.go":     "package p\n\n//line other.y:70\nvar b = 1\n\nvar c = 2\n//line :5\nvar d = 3\n",
		"commented.go": "package p\n\nvar e = /*line third.y:9:1*/ 3\nvar f = 4\n",
		"empty.go":     "package p",
	}
	from := token.NewFileSet()
	var s lineSet
	for _, name := range []string{"plain.go", "moved.go", "commented.go", "empty.go"} {
		f, err := parser.ParseFile(from, name, texts[name], parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		s.note(from, f, []byte(texts[name]))
		if name == "moved.go" {
			s.of(from) // what comes later is added
		}
	}
	if len(s.moved) != 2 {
		t.Errorf("%d files have line directives", len(s.moved))
	}
	of := s.of(from)
	from.Iterate(func(f *token.File) bool {
		for i := range f.Size() {
			want, got := from.Position(f.Pos(i)), of.Position(f.Pos(i))
			atStart := i == 0 || texts[f.Name()][i-1] == '\n'
			if got.Filename != want.Filename || got.Line != want.Line {
				// A directive in the middle of a line counts from the next one.
				if f.Name() == "commented.go" && !atStart {
					continue
				}
				t.Errorf("byte %d of %s is at %v, not %v", i, f.Name(), got, want)
			}
			if got.Column != 0 {
				t.Errorf("byte %d of %s has column %d", i, f.Name(), got.Column)
			}
		}
		return true
	})
}
