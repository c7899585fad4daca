package lower

import (
	"strings"
	"testing"

	"loam/internal/escape"
	"loam/internal/mid"
)

// builtins calls all built-in functions.
const builtins = `
import "unsafe"

type T int

func (T) M() {}

type I interface{ M() }

func wrapper(p *T) I { return p }

func own(seq func(func(int) bool)) {
	for i := range seq {
		defer println(i)
	}
	defer print(recover())
	defer panic(1)
}

func words(s []int, m map[int]int, c chan int, z complex128, x, y int, p unsafe.Pointer, q *int, t string) (int, complex128) {
	s = append(s, x)
	clear(m)
	delete(m, x)
	close(c)
	p = unsafe.Add(p, x)
	s = unsafe.Slice(q, x)
	q = unsafe.SliceData(s)
	t = unsafe.String((*byte)(p), x)
	println(unsafe.StringData(t), q)
	return copy(s, s) + len(s) + cap(s) + min(x, y) + max(x, y), complex(real(z), imag(z))
}`

// TestBuiltins: each built-in function is known to escape analysis and to lowering.
func TestBuiltins(t *testing.T) {
	called := map[mid.BuiltinID]bool{}
	made := lowerText(t, builtins, func(in *Input) {
		fns := in.Pkg.Functions()
		in.Escape = escape.Analyze(in.Pkg, fns, func(string) *escape.Summary { return nil }, in.Sizes)
		for _, f := range fns {
			for _, blk := range f.Body() {
				for _, i := range blk.Instrs {
					if call, ok := i.(mid.CallInstr); ok {
						called[call.Common().Builtin()] = true
					}
				}
			}
		}
	})
	// In the wrapper of (*T).M.
	called[mid.BuiltinCheckNil] = strings.Contains(string(made.Text()), "panicwrap")
	for id := range mid.Builtins {
		if !called[id] {
			t.Errorf("%v is not called", id)
		}
		if id != mid.NoBuiltin && id < mid.BuiltinDeferStack && mid.BuiltinNamed(id.String()) != id {
			t.Errorf("%v is called otherwise", id)
		}
	}
}
