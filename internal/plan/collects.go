package plan

import "loam/internal/mid"

// hooked are the packages that call a collector only where their own tests have switched that on,
// in functions whose frames had better be small: reflect calls runtime.GC around each call that it
// makes.
var hooked = map[string]bool{"reflect": true}

// CallsCollector reports whether f calls a collector, itself or through functions of this package.
func (p *Package) CallsCollector(f *mid.Func) bool {
	if known, ok := p.collecting[f]; ok {
		return known
	}
	p.collecting[f] = false // what a recursive call adds is found by the others
	for _, blk := range f.Body() {
		for _, in := range blk.Instrs {
			if c, ok := in.(mid.CallInstr); ok && p.CollectingCall(f, c) {
				p.collecting[f] = true
				return true
			}
		}
	}
	return false
}

// HelpsCollector reports whether f is a literal of a function that calls a collector, as goroutines
// of tests are. A deferred call of it may end that function's waiting for f, and f's frame is still
// there when the collection comes: so it is cleared before the deferred calls run.
func (p *Package) HelpsCollector(f *mid.Func) bool {
	return f.Parent() != nil && p.CallsCollector(f.Parent())
}

// CollectingCall reports whether call c of f, deferred or not, reaches a collector.
func (p *Package) CollectingCall(f *mid.Func, c mid.CallInstr) bool {
	g := c.Common().StaticCallee()
	if _, started := c.(*mid.Go); g == nil || p.about.Runtime || started {
		return false
	}
	in := f.DeclaredIn()
	if in != nil && hooked[in.Pkg.Path()] {
		return false
	}
	return p.about.Collects(g) || g.HasBody() && in != nil && in == g.DeclaredIn() && p.CallsCollector(g)
}
