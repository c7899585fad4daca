package lower

import (
	"reflect"
	"testing"

	"loam/internal/ir"
)

func TestLeaves(t *testing.T) {
	for _, test := range []struct {
		ll   *ir.Type
		want []leaf
	}{
		{ir.I64, []leaf{{nil, ir.I64}}},
		{llString, []leaf{{[]int{0}, ir.Ptr}, {[]int{1}, ir.I64}}},
		{ir.Struct(), nil},
		{ir.Struct(ir.Struct(), ir.I1), []leaf{{[]int{1}, ir.I1}}},
		{ir.Struct(llIface, ir.I1), []leaf{{[]int{0, 0}, ir.Ptr}, {[]int{0, 1}, ir.Ptr}, {[]int{1}, ir.I1}}},
		{ir.Array(1, ir.Struct(ir.Float, ir.Float)), []leaf{{[]int{0, 0}, ir.Float}, {[]int{0, 1}, ir.Float}}},
		{ir.Struct(ir.Array(0, ir.I64), ir.I8), []leaf{{[]int{1}, ir.I8}}},
		{ir.Struct(ir.I32, ir.Struct(ir.Array(1, ir.Ptr))), []leaf{{[]int{0}, ir.I32}, {[]int{1, 0, 0}, ir.Ptr}}},
	} {
		if got := leaves(test.ll); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v: %v, want %v", test.ll, got, test.want)
		}
	}
}
