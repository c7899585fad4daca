package goasm

import (
	"bytes"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"loam/internal/child"
)

// A Package says what to assemble.
type Package struct {
	Types  *types.Package
	Sizes  types.Sizes
	Path   string   // import path, as symbols carry it
	Dir    string   // where the files and the headers that they include lie
	Shown  string   // what messages have in place of Dir and the slash behind it
	Files  []string // absolute
	GOROOT string   // of the installed SDK
	Level  string   // GOAMD64
	Temp   string   // a directory for intermediate files
	// PosPath maps the names of source files to those that users see. nil: they are the same.
	PosPath func(name string) string
	Library bool     // -buildmode=c-shared: the thread block is somewhere else
	Flags   []string // further ones of the assembler: -D, -I, -e
	// Show, if there is one, gets the command lines before they are run.
	Show func(name string, args ...string)
}

// Object is an assembled package.
type Object struct {
	// Text is GNU assembly, to be put after the wrappers' own.
	Text []byte
	// Messages is what the assembler printed, without which nothing is wrong: what Flags ask for.
	Messages []string
	// Functions are the functions that other code may call, by Go symbol, with the bytes of stack
	// that they and all assembly they call need below the arguments.
	Functions map[string]int64
	// Changes says for each function which registers of Preserved it may change: bit i stands for
	// Preserved[i].
	Changes map[string]int
	// Registers are those of Functions that follow ABIInternal.
	Registers map[string]bool
	// Variables are the data symbols that other code may refer to.
	Variables map[string]bool
	// Calls are the functions that the assembly calls or takes the address of and does not define,
	// by Go symbol: each needs a thunk.
	Calls []string

	functions []function // what Text has code of
	files     int        // how many source files it names
}

// ABI0 is the symbol of the ABI0 form of the function with this Go symbol.
func ABI0(symbol string) string { return symbol + "·abi0" }

// ABIInternal is the symbol of the code of a function that follows gc's register convention.
func ABIInternal(symbol string) string { return symbol + "·abiinternal" }

// Assemble runs the SDK's assembler on each file by itself, as symbols<> are the file's own. Errors
// are the assembler's, with the files' names as the user knows them, or say what the files need
// that does not exist. What they need of their own package is the linker's concern: it may be of a
// kind that only other packages have, which include the files.
func Assemble(p *Package) (*Object, error) {
	dir, err := os.MkdirTemp(p.Temp, "asm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "go_asm.h"), header(p.Types, p.Sizes), 0o666); err != nil {
		return nil, err
	}
	var defs []*symbol
	var messages []string
	for _, file := range p.Files {
		more, text, err := p.assembleFile(dir, file)
		if err != nil {
			return nil, err
		}
		if text != "" {
			messages = append(messages, text)
		}
		defs = append(defs, more...)
	}
	join(defs)
	o, err := translate(p, defs)
	if err == nil {
		o.Messages = messages
	}
	return o, err
}

// assembleFile returns what one file defines, and what the assembler said. dir has go_asm.h.
func (p *Package) assembleFile(dir, file string) (defs []*symbol, text string, err error) {
	object := filepath.Join(dir, "asm.o")
	args := []string{"-p", p.Path, "-trimpath", dir + "=>", "-I", dir, "-I", filepath.Join(p.GOROOT, "pkg", "include"),
		"-D", "GOOS_linux", "-D", "GOARCH_amd64", "-D", "GOAMD64_" + p.Level}
	args = append(append(args, p.Flags...), "-o", object, file)
	cmd := exec.Command(filepath.Join(p.GOROOT, "pkg", "tool", "linux_amd64", "asm"), args...)
	cmd.Dir = p.Dir
	if p.Show != nil {
		p.Show(cmd.Path, args...)
	}
	out, err := child.Tool(cmd)
	text = strings.TrimSpace(string(bytes.ReplaceAll(out, []byte(p.Dir+"/"), []byte(p.Shown))))
	switch {
	case err == nil:
	case errors.Is(err, child.ErrEnding):
		return nil, "", err
	case text == "":
		return nil, "", fmt.Errorf("go tool asm: %v", err)
	default:
		return nil, "", errors.New(text)
	}
	data, err := os.ReadFile(object)
	if err != nil {
		return nil, "", err
	}
	defs, err = parseObject(data)
	if err != nil {
		return nil, "", fmt.Errorf("go tool asm: %v", err)
	}
	return defs, text, nil
}

// join leads the references of each file to the definitions of the others.
func join(defs []*symbol) {
	type key struct {
		name string
		abi  uint16
	}
	global := map[key]*symbol{}
	for _, s := range defs {
		if s.abi != abiStatic {
			global[key{s.name, s.abi}] = s
		}
	}
	for _, s := range defs {
		for i := range s.relocs {
			r := &s.relocs[i]
			if r.sym == nil || r.sym.defined {
				continue
			}
			if d := global[key{r.sym.name, r.sym.abi}]; d != nil {
				r.sym = d
			}
		}
	}
}

// header is go_asm.h, which the compiler writes for the assembler: the package's integer, string
// and boolean constants, and sizes and offsets of its structs.
func header(pkg *types.Package, sizes types.Sizes) []byte {
	var b bytes.Buffer
	for _, name := range pkg.Scope().Names() {
		switch o := pkg.Scope().Lookup(name).(type) {
		case *types.Const:
			if basic, ok := o.Type().Underlying().(*types.Basic); ok && basic.Info()&(types.IsFloat|types.IsComplex) == 0 {
				fmt.Fprintf(&b, "#define const_%s %s\n", name, o.Val().ExactString())
			}
		case *types.TypeName:
			st, ok := o.Type().Underlying().(*types.Struct)
			if named, isNamed := o.Type().(*types.Named); !ok || isNamed && named.TypeParams().Len() > 0 {
				continue
			}
			fmt.Fprintf(&b, "#define %s__size %d\n", name, sizes.Sizeof(st))
			fields := make([]*types.Var, st.NumFields())
			for i := range fields {
				fields[i] = st.Field(i)
			}
			for i, off := range sizes.Offsetsof(fields) {
				if f := fields[i].Name(); f != "_" {
					fmt.Fprintf(&b, "#define %s_%s %d\n", name, f, off)
				}
			}
		}
	}
	return b.Bytes()
}

// foreign are functions of the official run-time system that Loam's has in ABI0 form too
// (overlay/runtime/abi0.gas), foreignVars the variables.
var (
	foreign     = map[string]bool{"runtime.memmove": true, "runtime.entersyscall": true, "runtime.exitsyscall": true}
	foreignVars = map[string]bool{"runtime.writeBarrier": true, "runtime.vdsoClockgettimeSym": true, "runtime.sched": true}
)

// noSymbols says what the assembly wants of packages that have no such thing for it, and where.
func (p *Package) noSymbols(missing map[string]bool) error {
	names := slices.Sorted(maps.Keys(missing))
	var errs []error
	for _, name := range names {
		where := p.Path
		dot := strings.LastIndexByte(name, '.')
		// as assembly has it
		spelled := strings.ReplaceAll(name[:max(dot, 0)], "/", "∕") + "·" + name[dot+1:]
		for _, file := range p.Files {
			text, err := os.ReadFile(file)
			if k := bytes.Index(text, []byte(spelled)); err == nil && k >= 0 {
				where = fmt.Sprintf("%s:%d", filepath.Base(file), 1+bytes.Count(text[:k], []byte("\n")))
				break
			}
		}
		errs = append(errs, fmt.Errorf("%s: %s exists only in the official toolchain's programs", where, name))
	}
	errs = append(errs, errors.New("\tif the package has portable code too, a build tag may select it: -tags purego, noasm or appengine"))
	return errors.Join(errs...)
}
