package load

import (
	"bytes"
	"os"
)

// newsFilter passes on at once what the go command says while it works, that it downloads a module,
// and keeps the rest.
type newsFilter struct {
	rest *bytes.Buffer
	line []byte // begun
}

func (f *newsFilter) Write(text []byte) (int, error) {
	for _, c := range text {
		if f.line = append(f.line, c); c != '\n' {
			continue
		}
		if bytes.HasPrefix(f.line, []byte("go: downloading ")) {
			os.Stderr.Write(f.line)
		} else {
			f.rest.Write(f.line)
		}
		f.line = f.line[:0]
	}
	return len(text), nil
}

// ListError is what the go command has to say about a build that it cannot plan.
type ListError struct{ Message string }

func (e *ListError) Error() string { return e.Message }
