package main

import (
	"slices"
	"testing"
)

func TestSplitPattern(t *testing.T) {
	for pattern, want := range map[string][]string{
		"": {""}, "a": {"a"}, "a|b": {"a", "b"}, "a|": {"a", ""}, `a\|b|c`: {`a\|b`, "c"}, "(a|b)c|d": {"(a|b)c", "d"},
		"[|]|x": {"[|]", "x"}, "[(]|[)]": {"[(]", "[)]"}, "[]|]a|b": {"[]|]a", "b"}, "a|(b": {"a", "(b"}, "a|*": {"a", "*"},
	} {
		if got := splitPattern(pattern, "|"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}
