package lower

import "loam/internal/mid"

// hooked are the packages that call a collector only where their own tests have switched that on,
// in functions whose frames had better be small: reflect calls runtime.GC around each call that it
// makes.
var hooked = map[string]bool{"reflect": true}

// collects tells whether f calls a collector, itself or through functions of this package.
func (m *module) collects(f *mid.Func) bool {
	if known, ok := m.collecting[f]; ok {
		return known
	}
	m.collecting[f] = false // what a recursive call adds is found by the others
	for _, blk := range f.Body() {
		for _, in := range blk.Instrs {
			if c, ok := in.(mid.CallInstr); ok && m.collectingCall(f, c) {
				m.collecting[f] = true
				return true
			}
		}
	}
	return false
}

// helpsCollector tells whether f is a literal of a function that calls a collector, as goroutines
// of tests are. A deferred call of it may end that function's waiting for f, and f's frame is still
// there when the collection comes: so it is cleared before the deferred calls run.
func (m *module) helpsCollector(f *mid.Func) bool {
	return f.Parent() != nil && m.collects(f.Parent())
}

// collectingCall tells whether call c of f, deferred or not, reaches a collector.
func (m *module) collectingCall(f *mid.Func, c mid.CallInstr) bool {
	g := c.Common().StaticCallee()
	if _, started := c.(*mid.Go); g == nil || m.rt || started {
		return false
	}
	in := declaredIn(f)
	if in != nil && hooked[in.Pkg.Path()] {
		return false
	}
	return m.has(g, collects) || g.HasBody() && in != nil && in == declaredIn(g) && m.collects(g)
}
