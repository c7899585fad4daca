package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"loam/internal/amd64"
	"loam/internal/preprocess"
	"loam/internal/toolchain"
)

// gasText is the assembly that the run-time system's packages have beside their Go files, as one
// text: a clang takes longer to start than to assemble them all.
func (g *Graph) gasText(n *unit) ([]byte, error) {
	if len(n.pkg.GasFiles) == 0 {
		return nil, nil
	}
	defined := g.b.tools.Defined()
	for _, feature := range amd64.Features() {
		defined[feature] = "1"
	}
	text := []byte(toolchain.SplitStackNote)
	for _, name := range n.pkg.GasFiles {
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		expanded, err := preprocess.Expand(preprocess.Input{
			Name: g.names.Show(name), Text: source, Defined: defined,
			Header: func(header string) ([]byte, error) { return os.ReadFile(filepath.Join(n.pkg.Dir, header)) },
		})
		if err != nil {
			return nil, err
		}
		base := strings.TrimSuffix(filepath.Base(name), ".gas")
		text = append(text, apart(expanded, base)...)
	}
	return text, nil
}

// apart is the text of a file as it stands behind others: its code is a section of its own, which a
// program gets if it needs it, and its local labels have its name.
func apart(text []byte, name string) []byte {
	section := fmt.Sprintf("\t.section .text.%s,\"ax\",@progbits", name)
	text = inText.ReplaceAllLiteral(text, []byte(section))
	text = localLabel.ReplaceAll(text, []byte("${1}.L"+name+".${2}"))
	return append([]byte(section+"\n"), text...)
}

var (
	inText     = regexp.MustCompile(`(?m)^[ \t]*\.text[ \t]*$`)
	localLabel = regexp.MustCompile(`(?m)(^|[^\w.)"])\.L([A-Za-z_]\w*)`)
)
