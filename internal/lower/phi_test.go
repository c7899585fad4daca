package lower

import (
	"slices"
	"testing"
)

func TestLeaves(t *testing.T) {
	for ll, want := range map[string][]leaf{
		"i64":                      {{"", "i64"}},
		"{ ptr, i64 }":             {{"0", "ptr"}, {"1", "i64"}},
		"{}":                       nil,
		"{ {}, i1 }":               {{"1", "i1"}},
		"{ { ptr, ptr }, i1 }":     {{"0, 0", "ptr"}, {"0, 1", "ptr"}, {"1", "i1"}},
		"[1 x { float, float }]":   {{"0, 0", "float"}, {"0, 1", "float"}},
		"{ [0 x i64], i8 }":        {{"1", "i8"}},
		"{ [1 x [1 x i16]], { } }": {{"0, 0, 0", "i16"}},
		"{ i32, { [1 x ptr] } }":   {{"0", "i32"}, {"1, 0, 0", "ptr"}},
	} {
		if got := leaves(ll); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", ll, got, want)
		}
	}
}
