package plan

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loam/internal/mid"
)

// sharingSource has functions whose values are in use for a while each, across branches and loops.
func sharingSource() string {
	var b strings.Builder
	b.WriteString("package p\n\nfunc park()\nfunc made() *int\nfunc text() string\nfunc use(p *int)\nfunc say(s string)\n")
	for f := range 40 {
		r := rand.New(rand.NewPCG(uint64(f), 0))
		fmt.Fprintf(&b, "\nfunc f%d(n int, p0 *int, s0 string) {\n", f)
		end, names := 0, []string{"p0", "s0"}
		for k := range 30 {
			switch v := names[r.IntN(len(names))]; r.IntN(7) {
			case 0:
				fmt.Fprintf(&b, "p%d := made(); use(p%d)\n", k+1, k+1)
				names = append(names, fmt.Sprint("p", k+1))
			case 1:
				fmt.Fprintf(&b, "s%d := text(); say(s%d)\n", k+1, k+1)
				names = append(names, fmt.Sprint("s", k+1))
			case 2:
				b.WriteString("park()\n")
			case 3:
				fmt.Fprintf(&b, "if n > %d {\n%s = %s\npark()\n}\n", k, v, map[byte]string{'p': "made()", 's': "text()"}[v[0]])
			case 4:
				if end < 3 {
					fmt.Fprintf(&b, "for range n {\n")
					end++
				}
			default:
				fmt.Fprintf(&b, "%s(%s)\n", map[byte]string{'p': "use", 's': "say"}[v[0]], v)
			}
		}
		b.WriteString(strings.Repeat("}\n", end) + "}\n")
	}
	return b.String()
}

// TestShareHomes: no two homes lie in the same memory if one is stored while the other may still be
// loaded, and homes take less memory than if each had its own.
func TestShareHomes(t *testing.T) {
	pkg := functions(t, sharingSource())
	known := facts(pkg)
	alone, shared := int64(0), int64(0)
	for _, f := range pkg.Funcs {
		how := usual()
		if len(f.Body()) == 0 {
			continue
		}
		fr := FrameOf(f, known, &how)
		if fr == nil {
			continue
		}
		var homes []Memory
		var sizes []int64
		for _, v := range fr.Homes {
			size := int64(8)
			if hasLength(v.Type()) {
				size = 16
			}
			homes, sizes = append(homes, Memory{Value: v, Reads: v.Referrers()}), append(sizes, size)
			alone += size
		}
		at, bytes := fr.ShareHomes(homes, sizes)
		shared += bytes
		for i := range homes {
			if at[i] < 0 || at[i]%word != 0 || at[i]+sizes[i] > bytes {
				t.Fatalf("%s: home of %s at %d, of %d bytes", f, homes[i].Value.Name(), at[i], bytes)
			}
			for j := range homes {
				overlap := at[i] < at[j]+sizes[j] && at[j] < at[i]+sizes[i]
				if i != j && overlap && storedWhileLive(homes[i].Value, homes[j].Value) {
					t.Errorf("%s: %s is stored over %s", f, homes[i].Value.Name(), homes[j].Value.Name())
				}
			}
		}
	}
	if shared == 0 || shared >= alone {
		t.Errorf("%d bytes instead of %d", shared, alone)
	}
}

// storedWhileLive reports whether w may be loaded behind the place where v is stored.
func storedWhileLive(v, w mid.Value) bool {
	dv, dw := defOf(v), defOf(w)
	switch {
	case dv == nil && dw == nil:
		return true
	case dv == nil:
		return false // w is not made yet
	case dw == nil || dw.Block() != dv.Block() && dw.Block().Dominates(dv.Block()):
	case dw.Block() == dv.Block():
		for _, in := range dv.Block().Instrs {
			if in == dv {
				return false // w is made behind
			}
			if in == dw {
				break
			}
		}
	default:
		return false
	}
	return usedAfter(dv, dw, w.Referrers())
}
