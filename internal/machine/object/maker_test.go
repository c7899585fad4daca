package object

import (
	"bytes"
	"debug/elf"
	"testing"
)

// TestMaker reads what a maker has made: contents, places, references to sections and to names,
// forward and backward, and what is retained.
func TestMaker(t *testing.T) {
	var m Maker
	text := m.Part(".text.f", Progbits, Alloc|Exec|Retain)
	data := m.Part(".data", Progbits, Alloc|Write)
	zeros := m.Part(".bss", Nobits, Alloc|Write)
	text.DefineAs("f", Function, false, 0)
	text.Jump(To("g", 0))
	data.Bytes(1)
	data.Align(8)
	data.Define("list")
	data.Address(zeros.Here())
	zeros.Zero(3)
	zeros.Align(16)
	data.Address(zeros.Here())
	data.Address(To("f", 5))
	length := data.Here()
	data.Long(0)
	begin := data.Here()
	data.Uleb(300)
	data.CText("abc")
	data.Short(-2)
	data.Quad(7)
	data.SetLong(length, data.Since(begin))
	zeros.DefineAs("late", Object, true, 4)
	if m.Part(".data", Progbits, 0) != data {
		t.Error("a section of the same name is another one")
	}

	f, err := elf.NewFile(bytes.NewReader(m.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if f.OSABI != elf.ELFOSABI_LINUX {
		t.Errorf("it retains a section, but is an object for %v", f.OSABI)
	}
	got, err := f.Section(".data").Data()
	want := append(make([]byte, 32), 16, 0, 0, 0, 0xac, 2, 'a', 'b', 'c', 0, 0xfe, 0xff, 7, 0, 0, 0, 0, 0, 0, 0)
	want[0] = 1
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("data %v %v\nwant %v", got, err, want)
	}
	if s := f.Section(".bss"); s.Size != 16 || s.Addralign != 16 || s.Type != elf.SHT_NOBITS {
		t.Errorf("bss %+v", s.SectionHeader)
	}
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]uint64{}
	for _, s := range symbols {
		values[s.Name] = s.Value
		if s.Name == "late" && elf.ST_VISIBILITY(s.Other) != elf.STV_HIDDEN {
			t.Error("late is not hidden")
		}
	}
	if values["list"] != 8 || values["late"] != 20 || values["f"] != 0 {
		t.Errorf("symbols %v", values)
	}
	type reloc struct {
		at, typ uint64
		to      string
		add     int64
	}
	relocs := func(name string) (list []reloc) {
		b, err := f.Section(name).Data()
		if err != nil {
			t.Fatal(err)
		}
		for ; len(b) > 0; b = b[relocSize:] {
			info := f.ByteOrder.Uint64(b[8:])
			s := symbols[info>>32-1]
			to := s.Name
			if elf.ST_TYPE(s.Info) == elf.STT_SECTION {
				to = f.Sections[s.Section].Name
			}
			list = append(list, reloc{f.ByteOrder.Uint64(b), info & 0xffffffff, to, int64(f.ByteOrder.Uint64(b[16:]))})
		}
		return list
	}
	check := func(name string, want ...reloc) {
		got := relocs(name)
		if len(got) != len(want) {
			t.Fatalf("%s: %v, want %v", name, got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: %v, want %v", name, got[i], want[i])
			}
		}
	}
	check(".rela.data", reloc{8, Abs64, ".bss", 0}, reloc{16, Abs64, ".bss", 16}, reloc{24, Abs64, "f", 5})
	check(".rela.text.f", reloc{1, PLT32, "g", -4})
}
