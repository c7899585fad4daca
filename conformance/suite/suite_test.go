package suite

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// TestReadPlaces reads the lines of a list.
func TestReadPlaces(t *testing.T) {
	name := filepath.Join(t.TempDir(), "list")
	text := "# a comment\n\na row; a row, too: one, two\ngo1.27 a row: three\ngo1.26 a row: four\n"
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := ReadPlaces(name, "go1.27")
	if err != nil {
		t.Fatal(err)
	}
	want := map[Place]bool{{"a row", "one"}: true, {"a row", "two"}: true, {"a row, too", "one"}: true,
		{"a row, too", "two"}: true, {"a row", "three"}: true}
	if !maps.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if err := os.WriteFile(name, []byte("no columns\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadPlaces(name, "go1.27"); err == nil {
		t.Errorf("got %v", got)
	}
}

// TestFormatPlaces reads what it has written, however long the lines are.
func TestFormatPlaces(t *testing.T) {
	var places []Place
	for _, row := range []string{"a row", "another one", "a third, too"} {
		for i := range 40 {
			places = append(places, Place{row, string(rune('a'+i%26)) + " column of some length " + string(rune('a'+i/26))})
		}
	}
	places = append(places, Place{"one more", "alone"})
	name := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(name, []byte(FormatPlaces(places)), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := ReadPlaces(name, "go1.26")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range places {
		if !got[p] {
			t.Errorf("%q is missing", p)
		}
	}
	if len(got) != len(places) {
		t.Errorf("%d places of %d", len(got), len(places))
	}
}
