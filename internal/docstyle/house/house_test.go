package main

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const root = "../../.."

// TestLimits: no package is more of one piece than limits.txt says, and the file has no number that
// could be lower.
func TestLimits(t *testing.T) {
	folders, err := packageFolders(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) < 70 {
		t.Errorf("only %d packages", len(folders))
	}
	r, err := newReader(root)
	if err != nil {
		t.Fatal(err)
	}
	var list []counts
	for _, folder := range folders {
		p, err := r.read(folder)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p.count())
	}
	limits, _, err := readLimits(filepath.Join(root, limitsFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range compare(limits, list) {
		t.Error(fault)
	}
}

// TestCount: fields, variables, methods and types of a file tie those that use them to it.
func TestCount(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("package p\n"+text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a.go", "type T struct{ x, y int }\nfunc (t T) a() { t.b() }\n")
	write("b.go", "func (T) b() { _ = v }\n")
	write("c.go", "func c(u struct{ t T }) int { return u.t.x }\n")
	write("d.go", "var v = 1\n")
	write("a_test.go", "func d() { c(struct{ t T }{}) }\n")
	r, err := newReader(root)
	if err != nil {
		t.Fatal(err)
	}
	r.root = dir
	p, err := r.read("")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.biggestCircle(), []string{"a.go", "b.go"}; !slices.Equal(got, want) {
		t.Errorf("circle %v, want %v", got, want)
	}
	if c := p.count(); c.circle != 2 || c.fields != 2 || c.methods != 2 || c.methodsType != "T" {
		t.Errorf("counted %v", c)
	}
	if got := names(p.uses["c.go"]["a.go"]); got != "T x" {
		t.Errorf("c.go uses %s of a.go", got)
	}
}

// TestCompare: limits hold in both directions, and only fall.
func TestCompare(t *testing.T) {
	list := []counts{{folder: "big", circle: 20, fields: 3}, {folder: "small", circle: 2}}
	for _, c := range []struct {
		limits map[string]limit
		fault  string
	}{
		{map[string]limit{"big": {20, 20, 60}}, ""},
		{map[string]limit{"big": {19, 20, 60}}, "the limits are 19"},
		{map[string]limit{}, "the limits are 8"},
		{map[string]limit{"big": {21, 20, 60}}, "lower the limits"},
		{map[string]limit{"big": {20, 20, 60}, "small": goal}, "lower the limits"},
		{map[string]limit{"big": {20, 20, 60}, "gone": {20, 20, 60}}, "no such package"},
	} {
		faults := compare(c.limits, list)
		if c.fault == "" && len(faults) > 0 || c.fault != "" && (len(faults) != 1 || !strings.Contains(faults[0], c.fault)) {
			t.Errorf("%v: %q, want %q", c.limits, faults, c.fault)
		}
	}
	name := filepath.Join(t.TempDir(), "limits.txt")
	if err := os.WriteFile(name, []byte("# why\nbig 30 20 70\ngone 9 9 9\nsmall 9 20 60\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := lowerLimits(name, list); err != nil {
		t.Fatal(err)
	}
	limits, comment, err := readLimits(name)
	if want := (map[string]limit{"big": {20, 20, 60}}); err != nil || comment != "# why\n" || !reflect.DeepEqual(limits, want) {
		t.Errorf("%v %q %v, want %v", limits, comment, err, want)
	}
}
