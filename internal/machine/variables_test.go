package machine

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestVariables reads the variables of testdata/variables.ll as a debugger does: their types, the
// blocks that they are in, and where they are.
func TestVariables(t *testing.T) {
	for shown, want := range map[bool][]string{
		true: {
			"func p.f",
			"parameter a int at 91",
			"parameter gone p.handler = *func(int) int nowhere",
			"block in line 6",
			"block in line 6",
			"variable s struct string at 91",
			"variable nodes [4]struct p.node at 91 06",
			"variable p.count int at 03",
		},
		false: {
			"func p.f",
			"parameter a int nowhere",
			"parameter gone p.handler = *func(int) int nowhere",
			"block in line 6",
			"block in line 6",
			"variable s struct string nowhere",
			"variable nodes [4]struct p.node nowhere",
			"variable p.count int at 03",
		},
	} {
		if got := variables(t, shown); !slices.Equal(got, want) {
			t.Errorf("shown %t:\n%s\nwant\n%s", shown, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func variables(t *testing.T, keep bool) (list []string) {
	text, err := os.ReadFile("testdata/variables.ll")
	if err != nil {
		t.Fatal(err)
	}
	object, err := Compile(text, Options{Shown: keep})
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.NewFile(bytes.NewReader(object))
	if err != nil {
		t.Fatal(err)
	}
	d, err := f.DWARF()
	if err != nil {
		t.Fatal(err)
	}
	r := d.Reader()
	unit, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]bool{}
	for {
		e, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e == nil {
			return list
		}
		switch name, _ := e.Val(dwarf.AttrName).(string); e.Tag {
		case dwarf.TagSubprogram:
			list = append(list, "func "+name)
		case dwarf.TagLexDwarfBlock:
			list = append(list, fmt.Sprint("block in line ", lineAt(t, d, unit, e)))
		case dwarf.TagVariable, dwarf.TagFormalParameter:
			if name == "" {
				break // of a function's type
			}
			what := "variable "
			if e.Tag == dwarf.TagFormalParameter {
				what = "parameter "
			}
			where := whereIs(e)
			if strings.HasPrefix(where, "at 91") {
				at := fmt.Sprintf("% x", e.Val(dwarf.AttrLocation))
				if places[at] {
					t.Errorf("%s is where another variable is: %s", name, at)
				}
				places[at] = true
			}
			list = append(list, what+name+" "+typeOf(t, d, e)+" "+where)
		}
	}
}

// whereIs spells the operations of a variable's place, without their operands.
func whereIs(e *dwarf.Entry) string {
	where, ok := e.Val(dwarf.AttrLocation).([]byte)
	switch {
	case !ok:
		return "nowhere"
	case where[0] == 0x91 && where[len(where)-1] == 0x06:
		return "at 91 06"
	}
	return fmt.Sprintf("at %02x", where[0])
}

func typeOf(t *testing.T, d *dwarf.Data, e *dwarf.Entry) string {
	typ, err := d.Type(e.Val(dwarf.AttrType).(dwarf.Offset))
	if err != nil {
		t.Fatal(err)
	}
	if td, ok := typ.(*dwarf.TypedefType); ok {
		return td.Name + " = " + td.Type.String()
	}
	return typ.String()
}

// lineAt is the line where a block's code begins.
func lineAt(t *testing.T, d *dwarf.Data, unit, block *dwarf.Entry) int {
	ranges, err := d.Ranges(block)
	if err != nil || len(ranges) == 0 {
		t.Fatal(ranges, err)
	}
	lines, err := d.LineReader(unit)
	if err != nil {
		t.Fatal(err)
	}
	var at dwarf.LineEntry
	if err := lines.SeekPC(ranges[0][0], &at); err != nil {
		t.Fatal(err)
	}
	return at.Line
}
