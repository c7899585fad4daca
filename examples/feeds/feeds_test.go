package main

import "testing"

// TestSearches lets all three ways look through the same small set of documents.
func TestSearches(t *testing.T) {
	dir := t.TempDir()
	want, err := generate(dir, 50)
	if err != nil {
		t.Fatal(err)
	}
	if want.documents == 0 || want.documents == 50 || want.items <= want.documents {
		t.Errorf("odd documents: %+v", want)
	}
	again, err := generate(dir, 50)
	if err != nil || again != want {
		t.Errorf("second time %+v, %v; want %+v", again, err, want)
	}
	for mode, s := range searches {
		f, err := measure(s, dir, 50, want)
		if err != nil {
			t.Errorf("%s: %v", mode, err)
		} else if f.program <= 0 || f.peak == 0 {
			t.Errorf("%s: %+v", mode, f)
		}
	}
}
