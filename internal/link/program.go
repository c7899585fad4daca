package link

import (
	"loam/internal/cgo"
	"loam/internal/load"
	"loam/internal/timeline"
	"loam/internal/toolchain"
)

// A Package is what the link is told of a package.
type Package struct {
	*load.Package
	Deps    []*Package
	HasInit bool
	Content string    // names all objects of the package
	Objects []string  // keys of those that are linked
	C       *cgo.Made // what its C became; nil without
}

// A Program is what is linked.
type Program struct {
	Main, Runtime *Package
	Packages      []*Package // these and all that they import, dependencies first
	Profile       string     // the file by which it was compiled, "" without
	Methods       []string   // symbols that stand for functions that the program has (internal/reach)
}

// Options are what programs are linked with.
type Options struct {
	Mode     toolchain.Mode
	Settings [][2]string // flags that the program says it was built with
	// programs have no symbol table, or no debug information (-ldflags=-s, -w)
	DropSymbols, DropDebug bool

	LinkVars map[string]string // -ldflags=-X: string variables, by symbol
	// flags for the C compiler that links a program with C (-ldflags=-extldflags)
	External []string

	IDs IDs
}

// A Linker links programs.
type Linker struct {
	Options
	*toolchain.Toolchain
	Load       *load.Config
	CompilerID string
	Parallel   int // files that are looked for at a time
	Timeline   *timeline.Log
}
