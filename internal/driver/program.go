package driver

import (
	"fmt"
	"strings"

	"loam/internal/link"
)

// Link makes the program whose main package is id and writes it to out. Without out it says whether
// the program can be made.
func (g *Graph) Link(id, out string) error {
	p, err := g.program(id)
	if err != nil {
		return err
	}
	linked := g.linked[id]
	if linked == nil {
		return fmt.Errorf("internal error: %s is linked before it is compiled", id)
	}
	p.Methods = g.methods[id]
	for i, n := range p.units {
		p.Packages[i].Objects = n.objects(linked)
	}
	return g.b.linker().Link(&p.Program, out)
}

// ProgramKey names the content of the program that Link would make, without making it.
func (g *Graph) ProgramKey(id string) (string, error) {
	p, err := g.program(id)
	if err != nil {
		return "", err
	}
	return g.b.linker().Key(&p.Program), nil
}

// linker returns what links the builder's programs.
func (b *Builder) linker() *link.Linker {
	return &link.Linker{
		Options: b.Linking, Toolchain: b.tools, Load: &b.Load, CompilerID: b.CompilerID, Parallel: b.Parallel, Timeline: b.Timeline,
	}
}

// program is what is linked, with the units of its packages.
type program struct {
	link.Program
	units []*unit
}

// program returns what is linked for the main package id, but for the objects.
func (g *Graph) program(id string) (*program, error) {
	main, rt, units, err := g.parts(id)
	if err != nil {
		return nil, err
	}
	if err := g.checkLinkVars(main, units); err != nil {
		return nil, err
	}
	p := &program{units: units, Program: link.Program{Profile: main.profile}}
	of := map[*unit]*link.Package{}
	for _, n := range units {
		l := &link.Package{Package: n.pkg, HasInit: n.rec.HasInit, Content: strings.Join(n.rec.Objects, " ") + " " + n.rec.Reach, C: n.c}
		for _, d := range n.deps {
			l.Deps = append(l.Deps, of[d])
		}
		of[n] = l
		p.Packages = append(p.Packages, l)
	}
	p.Main, p.Runtime = of[main], of[rt]
	return p, nil
}
