package check

import (
	"fmt"
	"go/types"
	"go/version"
	"strings"
	"testing"

	"loam/internal/layout"
	"loam/internal/load"
	"loam/internal/loamtest"
)

// layouts are the structs of the standard library whose fields the compiler writes or reads
// (internal/lower), or whose layout the run-time system repeats: package, type, and each field's
// offset. The size is at the end.
var layouts = []struct {
	since, before string // releases; "" is no bound
	typ           string
	fields        string
}{
	{"", "", "internal/abi.Type", "Size_ 0 PtrBytes 8 Hash 16 TFlag 20 Align_ 21 FieldAlign_ 22 Kind_ 23 Equal 24 GCData 32 Str 40 PtrToThis 44 end 48"},
	{"", "", "internal/abi.UncommonType", "PkgPath 0 Mcount 4 Xcount 6 Moff 8 _ 12 end 16"},
	{"", "", "internal/abi.Method", "Name 0 Mtyp 4 Ifn 8 Tfn 12 end 16"},
	{"", "", "internal/abi.Imethod", "Name 0 Typ 4 end 8"},
	{"", "", "internal/abi.ArrayType", "Type 0 Elem 48 Slice 56 Len 64 end 72"},
	{"", "", "internal/abi.ChanType", "Type 0 Elem 48 Dir 56 end 64"},
	{"", "", "internal/abi.FuncType", "Type 0 InCount 48 OutCount 50 end 56"},
	{"", "", "internal/abi.InterfaceType", "Type 0 PkgPath 48 Methods 56 end 80"},
	{"", "", "internal/abi.PtrType", "Type 0 Elem 48 end 56"},
	{"", "", "internal/abi.SliceType", "Type 0 Elem 48 end 56"},
	{"", "", "internal/abi.StructType", "Type 0 PkgPath 48 Fields 56 end 80"},
	{"", "", "internal/abi.StructField", "Name 0 Typ 8 Offset 16 end 24"},
	{"", "", "internal/abi.ITab", "Inter 0 Type 8 Hash 16 Fun 24 end 32"},
	{"", "go1.27", "internal/abi.MapType", "Type 0 Key 48 Elem 56 Group 64 Hasher 72 GroupSize 80 SlotSize 88 ElemOff 96 Flags 104 end 112"},
	{"go1.27", "", "internal/abi.MapType",
		"Type 0 Key 48 Elem 56 Group 64 Hasher 72 GroupSize 80 KeysOff 88 KeyStride 96 ElemsOff 104 ElemStride 112 ElemOff 120 Flags 128 end 136"},
	{"", "", "internal/runtime/maps.Map",
		"used 0 seed 8 dirPtr 16 dirLen 24 globalDepth 32 globalShift 33 writing 34 tombstonePossible 35 clearSeq 40 end 48"},
	// internal/lower gives a loop over a map 120 bytes for it and looks at the first two words.
	{"", "", "internal/runtime/maps.Iter", "key 0 elem 8 typ 16 m 24 entryOffset 32 dirOffset 40 clearSeq 48 globalDepth 56 dirIdx 64 tab 72 group 80 entryIdx 88 end 96"},
}

// constants are those that the compiler knows.
var constants = map[string]string{
	"internal/abi.MapGroupSlots": "8", "internal/abi.MapMaxKeyBytes": "128", "internal/abi.MapMaxElemBytes": "128",
	"internal/abi.ZeroValSize":      "1024",
	"internal/abi.MapNeedKeyUpdate": "1", "internal/abi.MapHashMightPanic": "2", "internal/abi.MapIndirectKey": "4",
	"internal/abi.MapIndirectElem": "8",
	"internal/abi.TFlagUncommon":   "1", "internal/abi.TFlagExtraStar": "2", "internal/abi.TFlagNamed": "4",
	"internal/abi.TFlagRegularMemory":  "8",
	"internal/abi.TFlagGCMaskOnDemand": "16", "internal/abi.TFlagDirectIface": "32", "internal/abi.UnsafePointer": "26",
	"internal/abi.Struct":     "25",
	"internal/abi.IntArgRegs": "0", "internal/abi.FloatArgRegs": "0",
	"internal/abi.RF_DONE": "0", "internal/abi.RF_READY": "1", "internal/abi.RF_PANIC": "2",
	"internal/abi.RF_EXHAUSTED": "3", "internal/abi.RF_MISSING_PANIC": "4",
}

// TestLayouts holds what compiler and run-time system know of the standard library's structs and
// constants against each release.
func TestLayouts(t *testing.T) {
	loamtest.EachRelease(t, func(t *testing.T, release string) {
		sdk, shadow := shadowOf(t)
		pkgs := declarations(t, &load.Config{SDK: sdk, Shadow: shadow}, "internal/abi", "internal/runtime/maps")
		find := func(name string) types.Object {
			dot := strings.LastIndex(name, ".")
			return pkgs[name[:dot]].Scope().Lookup(name[dot+1:])
		}
		for _, l := range layouts {
			if l.since != "" && version.Compare(release, l.since) < 0 || l.before != "" && version.Compare(release, l.before) >= 0 {
				continue
			}
			if have := fieldsOf(find(l.typ)); have != l.fields {
				t.Errorf("%s has\n\t%s, want\n\t%s", l.typ, have, l.fields)
			}
		}
		for name, want := range constants {
			if c, ok := find(name).(*types.Const); !ok || c.Val().ExactString() != want {
				t.Errorf("%s is %v, want %s", name, find(name), want)
			}
		}
	})
}

// fieldsOf describes a struct in the form of layouts.
func fieldsOf(obj types.Object) string {
	if obj == nil {
		return "nothing"
	}
	s, ok := obj.Type().Underlying().(*types.Struct)
	if !ok {
		return obj.String()
	}
	sizes := new(layout.Sizes)
	var fields []*types.Var
	for i := range s.NumFields() {
		fields = append(fields, s.Field(i))
	}
	var b strings.Builder
	for i, offset := range sizes.Offsetsof(fields) {
		fmt.Fprintf(&b, "%s %d ", fields[i].Name(), offset)
	}
	fmt.Fprintf(&b, "end %d", sizes.Sizeof(s))
	return b.String()
}
