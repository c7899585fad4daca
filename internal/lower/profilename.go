package lower

import (
	"crypto/sha256"
	"encoding/hex"
	"go/types"
	"strings"

	"loam/internal/mid"
)

// profileName is f's name in profiles, where instances of a generic function are told apart: shown
// with its type arguments as gc's symbols have them, so that the profile can be compared with one
// of gc's and guides its compiler (go build -pgo). shown is the display name, which all other
// functions keep.
func (m *symbols) profileName(f *mid.Func, shown string) string {
	if !strings.Contains(shown, "[...]") || f.IsWrapper() {
		return shown
	}
	return m.goName(f, m.shapes)
}

// shapes writes type arguments as gc names the code that it shares among them,
// "[go.shape.int,go.shape.*uint8]": an argument stands for its underlying type, and a pointer for
// *uint8 if its parameter's constraint has no type list.
func (m *symbols) shapes(params *types.TypeParamList, args []types.Type) string {
	const longest = 500 // gc writes a hash of names beyond that
	var names []string
	for i, a := range args {
		t := a.Underlying()
		constraint, _ := params.At(i).Constraint().Underlying().(*types.Interface)
		if _, ok := types.Unalias(a).(*types.Pointer); ok && constraint.IsMethodSet() {
			t = types.NewPointer(types.Typ[types.Uint8])
		}
		name := m.typeName(t)
		if len(name) > longest {
			sum := sha256.Sum256([]byte(name))
			sum[0] ^= 0xff // gc keeps its hash apart from SHA-256
			name = hex.EncodeToString(sum[:])
		}
		names = append(names, "go.shape."+name)
	}
	return "[" + strings.Join(names, ",") + "]"
}
