package symtab

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Program is what a linked program's file has of its code. A section that is missing is empty.
type Program struct {
	Info, Abbrev, Line, Str, Ranges, Frame []byte // .debug_*

	Symbols, Strings []byte              // .symtab and .strtab
	Sections         []*elf.Section      // by number
	Real             func(string) string // what a directory or file is called

	all    []*unit
	frames frames
}

// Table returns the table of the program.
func (p *Program) Table() ([]byte, error) {
	p.frames = readFrames(p.Frame)
	if err := p.readUnits(); err != nil {
		return nil, err
	}
	return p.table(), nil
}

// readUnits finds out everything about the functions that have debug information.
func (p *Program) readUnits() (err error) {
	if p.all, err = p.units(); err != nil {
		return err
	}
	faults := make([]error, len(p.all))
	parallel(len(p.all), func(i int) {
		if err := p.readUnit(p.all[i]); err != nil {
			faults[i] = fmt.Errorf("the unit at %#x: %w", p.all[i].start, err)
		}
	})
	if err := errors.Join(faults...); err != nil {
		return err
	}
	parallel(len(p.all), func(i int) { p.all[i].prepare(p) })
	return nil
}

// table makes the table of the program, whose units are read.
func (p *Program) table() []byte {
	one := map[declaration]*declared{}
	for _, u := range p.all {
		for _, d := range u.declared {
			if d.same = one[d.declaration]; d.same == nil {
				one[d.declaration] = d
			}
		}
	}
	var known []*function
	for _, u := range p.all {
		known = append(known, u.funcs...)
	}
	slices.SortStableFunc(known, func(a, b *function) int { return cmp.Compare(a.lo, b.lo) })
	known = slices.CompactFunc(known, func(f, before *function) bool { return f.lo < before.hi })
	all := p.gaps(known)
	assembly := p.assembly()
	for _, f := range all {
		if f.unit == nil {
			f.frame = p.frames.of(f.lo, f.hi-f.lo)
			f.locate(assembly)
		}
	}
	return encode(all)
}

// parallel calls do for 0 to n-1 on all processors.
func parallel(n int, do func(int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}
