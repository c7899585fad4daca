package link

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"testing"

	"loam/internal/toolchain"
)

// TestDebugUnit reads the unit as debuggers do: what delve looks for is there, where it says.
func TestDebugUnit(t *testing.T) {
	for _, mode := range []toolchain.Mode{"", toolchain.PIE, toolchain.Shared} {
		m := newObject()
		writeDebugUnit(m, "go1.26", mode)
		f, err := elf.NewFile(bytes.NewReader(m.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		d, err := f.DWARF()
		if err != nil {
			t.Fatal(err)
		}
		types := map[string]dwarf.Type{}
		others := map[string]dwarf.Tag{}
		r := d.Reader()
		for {
			e, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if e == nil {
				break
			}
			name, _ := e.Val(dwarf.AttrName).(string)
			switch e.Tag {
			case dwarf.TagBaseType, dwarf.TagStructType:
				if types[name], err = d.Type(e.Offset); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			case dwarf.TagVariable, dwarf.TagSubprogram, dwarf.TagCompileUnit:
				others[name] = e.Tag
			}
		}
		for _, want := range debugTypes {
			s, isStruct := types[want.name].(*dwarf.StructType)
			switch {
			case types[want.name] == nil || types[want.name].Size() != int64(want.size):
				t.Errorf("%v: type %s is %v", mode, want.name, types[want.name])
			case isStruct != (want.fields != nil):
				t.Errorf("%v: type %s is %v", mode, want.name, s)
			}
			for i, field := range want.fields {
				if got := s.Field[i]; got.Name != field.name || got.ByteOffset != int64(field.offset) {
					t.Errorf("%v: field %d of %s is %+v", mode, i, want.name, got)
				}
			}
		}
		next := types["runtime.moduledata"].(*dwarf.StructType).Field[4].Type
		if p, ok := next.(*dwarf.PtrType); !ok || p.Type.(*dwarf.StructType).StructName != "runtime.moduledata" {
			t.Errorf("%v: the next module is %v", mode, next)
		}
		for _, want := range debugFunctions {
			if others[want.name] != dwarf.TagSubprogram {
				t.Errorf("%v: no function %s", mode, want.name)
			}
		}
		for _, name := range []string{"runtime.allgs", "runtime.allglen", "runtime.firstmoduledata"} {
			if others[name] != dwarf.TagVariable {
				t.Errorf("%v: no variable %s", mode, name)
			}
		}
		if others["runtime"] != dwarf.TagCompileUnit {
			t.Errorf("%v: no unit", mode)
		}
	}
}
