package chunk

import (
	"fmt"

	"loam/internal/ir"
)

// dot stands between the parts of names that are made here. Nothing in a Go program has it there.
const dot = "·"

// export notes which definitions are needed outside their chunks, and gives local ones among them
// names that are the only ones of their kind in a program, and that an edit elsewhere in the
// package does not change: numbered ones are called after the first definition that refers to them.
func (m *module) export(parts []*part) map[*definition]string {
	for _, p := range parts {
		for _, list := range [][]*definition{p.outer, p.lent} {
			for _, d := range list {
				d.shared, d.promoted = true, d.local
			}
		}
	}
	homes := map[*definition]string{}
	for _, d := range m.defs {
		n := 0
		for _, r := range d.refs {
			if r.promoted && stem(r) != "" && d.tied == nil && homes[r] == "" {
				n++
				homes[r] = fmt.Sprintf("%s%s%d", d.global.Name(), dot, n)
			}
		}
	}
	names := map[*definition]string{}
	for _, d := range m.defs {
		if !d.promoted {
			continue
		}
		name := d.global.Name()
		if home := homes[d]; home != "" {
			name = stem(d) + dot + home
		}
		names[d] = ir.Name(name + dot + m.Path)
	}
	return names
}

// stem is the name of a numbered local variable without the number, "" for others.
func stem(d *definition) string {
	if !d.local || d.isFunc {
		return ""
	}
	return d.global.Stem()
}
