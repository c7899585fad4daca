package driver

import (
	"errors"
	"fmt"
	"os"

	"loam/internal/machine"
	"loam/internal/machine/code"
	"loam/internal/timeline"
)

// compileInstant makes the object of a chunk without clang. It reports false if the chunk has
// something that needs clang.
func (b *Builder) compileInstant(n *unit, p *piece, during *timeline.Span) (made bool, err error) {
	if b.DryRun {
		b.print.Line(fmt.Sprintf("# %s: %d bytes of text by loam", n.pkg.ImportPath, p.size))
		return true, nil
	}
	text, err := os.ReadFile(p.file)
	if err != nil {
		return false, err
	}
	object, err := machine.Compile(text, machine.Options{Shown: b.flagsOf(n.pkg).NoOptimize})
	var cannot *code.Unsupported
	if errors.As(err, &cannot) {
		during.Note("by clang: %s", cannot.What)
		if b.Commands {
			b.print.Line(fmt.Sprintf("# %s: a part of it by clang: %s", n.pkg.ImportPath, cannot.What))
		}
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if b.Commands {
		b.print.Line(fmt.Sprintf("# %s: %d bytes of text by loam", n.pkg.ImportPath, len(text)))
	}
	defer b.tools.Discard(p.file)
	return true, b.tools.Keep(p.object, object)
}
