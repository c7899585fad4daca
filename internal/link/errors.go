package link

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"loam/internal/load"
	"loam/internal/toolchain"
)

var undefinedSymbol = regexp.MustCompile(`(?m)^ld\.lld[^:]*: error: undefined symbol: (.*)$`)

const mainMissing = "runtime.main_main·f: function main is undeclared in the main package"

// linkError says in Go's terms what the linker missed: a symbol that is used and that no
// package defines is a function (or variable) whose body is assembly or C.
func linkError(main *Package, err error) error {
	var te *toolchain.Error
	if !errors.As(err, &te) {
		return err
	}
	found := undefinedSymbol.FindAllStringSubmatchIndex(te.Output, -1)
	if len(found) == 0 {
		return fmt.Errorf("linking %s: %w", main.ImportPath, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s", main.ImportPath)
	for i, m := range found {
		if i == maxUndefined {
			fmt.Fprintf(&b, "\ntoo many errors")
			break
		}
		if name := te.Output[m[2]:m[3]]; name == "main.main" {
			b.WriteString("\n" + mainMissing)
			continue
		}
		fmt.Fprintf(&b, "\nmissing function body: %s", te.Output[m[2]:m[3]])
		end := len(te.Output)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		if by := referencedBy(te.Output[m[1]:end]); by != "" {
			fmt.Fprintf(&b, " (used by %s)", by)
		}
	}
	return &load.Diagnostic{Text: b.String()}
}

const maxUndefined = 20

var sectionName = regexp.MustCompile(`>>> [^\n]*\.o:\((?:function )?([^\n]*?)(?:\+0x[0-9a-fA-F]+)?\)\n`)

func referencedBy(text string) string {
	m := sectionName.FindStringSubmatch(text + "\n")
	if m == nil {
		return ""
	}
	return strings.TrimPrefix(m[1], ".text.")
}
