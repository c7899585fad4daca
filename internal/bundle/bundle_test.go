package bundle

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"loam/internal/machine/object"
)

const abs64 = uint32(elf.R_X86_64_64)

// made makes an object. A line is a function: its name, "weak" or "local" behind it if it is,
// "once" if it is of a group of its own, and the names that it refers to. Each gets 8 bytes of
// debug information, its address.
func made(lines ...string) []byte {
	var f object.File
	f.Add(object.Section{Name: splitStack, Type: object.Progbits, Align: 1, Group: -1})
	symbols := map[string]int{}
	symbol := func(name string) int {
		n, ok := symbols[name]
		if !ok {
			n = len(f.Symbols)
			symbols[name] = n
			f.Symbols = append(f.Symbols, object.Symbol{Name: name, Bind: object.Global, Section: -1})
		}
		return n
	}
	debug := object.Section{Name: ".debug_info", Type: object.Progbits, Align: 1, Group: -1}
	for _, line := range lines {
		words := strings.Fields(line)
		n := symbol(words[0])
		s := object.Section{Name: ".text." + words[0], Type: object.Progbits, Flags: object.Alloc | object.Exec, Align: 16, Group: -1}
		bind := byte(object.Global)
		for _, word := range words[1:] {
			switch word {
			case "weak":
				bind = object.Weak
			case "local":
				bind = object.Local
			case "once":
				f.Groups = append(f.Groups, object.Group{Signature: n, Comdat: true})
				s.Group = len(f.Groups) - 1
			default:
				s.Relocs = append(s.Relocs, object.Reloc{At: uint64(len(s.Data)), Type: abs64, Symbol: symbol(word)})
				s.Data = append(s.Data, make([]byte, 8)...)
			}
		}
		s.Data = append(s.Data, words[0]...)
		at := f.Add(s)
		f.Symbols[n] = object.Symbol{Name: words[0], Bind: bind, Type: object.Function, Section: at, Size: uint64(len(s.Data))}
		debug.Relocs = append(debug.Relocs, object.Reloc{At: uint64(len(debug.Data)), Type: abs64, Symbol: f.SectionSymbol(at)})
		debug.Data = append(debug.Data, 7, 7, 7, 7, 7, 7, 7, 7)
	}
	f.Add(debug)
	return f.Bytes()
}

// code are the sections of code that an object has.
func code(t *testing.T, data []byte) (names []string) {
	t.Helper()
	r, err := read(data)
	if err == nil {
		err = r.relate()
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.sections {
		if s := &r.sections[i]; isCode(s) {
			names = append(names, strings.TrimPrefix(s.name, ".text.")+" "+string(bytes.TrimLeft(s.content, "\x00")))
		}
	}
	return names
}

// TestMake: a bundle has what is needed, in its order, and says what was left out.
func TestMake(t *testing.T) {
	first := made("a b", "unused c", "helper local", "c helper", "shared once", "twice weak")
	second := made("b shared absent", "shared once dead", "dead", "twice", "lost once", "d")
	data, left, err := Make([][]byte{first, second}, []string{"a", "twice", "nobody"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a a", "shared shared", "twice twice", "b b", "twice twice"}
	if got := code(t, data); !slices.Equal(got, want) {
		t.Errorf("the bundle has %v, want %v", got, want)
	}
	for name, lacks := range map[string]bool{
		"a": false, "b": false, "shared": false, "twice": false, "absent": false, "other": false, "group shared": false,
		"unused": true, "c": true, "dead": true, "lost": true, "group lost": true, "d": true,
	} {
		if Lacks(left, name) != lacks {
			t.Errorf("Lacks(%s) is not %v", name, lacks)
		}
	}
	names, err := Names(data)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(names, " "); got != "a b shared twice absent group shared" {
		t.Errorf("the bundle's names are %s", got)
	}
	if names, _ := Names(second); !slices.Contains(names, "group lost") || !slices.Contains(names, "absent") {
		t.Errorf("names of an object: %v", names)
	}
	o, _ := read(data)
	var addresses []uint64
	relocated := 0
	for i := range o.sections {
		s := &o.sections[i]
		if s.name == ".debug_info" {
			for b := s.content; len(b) > 0; b = b[8:] {
				addresses = append(addresses, binary.LittleEndian.Uint64(b))
			}
		} else if s.name == ".rela.debug_info" {
			relocated += len(s.content) / relaSize
		}
	}
	dead := 0
	for _, a := range addresses {
		if a == 0 {
			dead++
		}
	}
	if len(addresses) != 12 || dead != 7 || relocated != 5 {
		t.Errorf("of addresses in debug information %v, %d are of code that is left", addresses, relocated)
	}
	for i := range o.symbols {
		if y := &o.symbols[i]; y.name == "twice" && y.bind() != elf.STB_GLOBAL {
			t.Error("of two definitions the weak one counts")
		}
	}
	data, _, err = Make([][]byte{first, second}, []string{"a"}, map[string]bool{".debug_info": true})
	if err != nil || bytes.Contains(data, []byte(".debug_info\x00\x07")) || bytes.Contains(data, []byte{7, 7, 7, 7, 7, 7, 7, 7}) {
		t.Errorf("a section is not left out, %v", err)
	}
}

// TestRefused: what a bundle could not be the same as is none.
func TestRefused(t *testing.T) {
	for name, objects := range map[string][][]byte{
		"two definitions": {made("a"), made("a")},
		"no note":         {bytes.ReplaceAll(made("a"), []byte(splitStack), []byte(".note.another-thing---"))},
		"no object":       {[]byte("text")},
	} {
		if _, _, err := Make(objects, nil, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestDamaged: no data makes Make fail otherwise than by an error.
func TestDamaged(t *testing.T) {
	data := made("a b once", "b a", "c local b", "d weak c")
	if _, _, err := Make([][]byte{data}, []string{"d"}, nil); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		if _, _, err := Make([][]byte{data[:i]}, []string{"d"}, nil); err == nil {
			t.Errorf("%d of %d bytes are an object", i, len(data))
		}
		for _, c := range []byte{0, 1, 0x7f, 0xff, data[i] ^ 2, data[i] + 1} {
			changed := bytes.Clone(data)
			changed[i] = c
			Make([][]byte{changed}, []string{"d"}, nil)
			Names(changed)
		}
	}
}
