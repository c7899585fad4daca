package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// aged sets a file's time.
func aged(t *testing.T, name string, age time.Duration) {
	t.Helper()
	at := time.Now().Add(-age)
	if err := os.Chtimes(name, at, at); err != nil {
		t.Fatal(err)
	}
}

// TestTrim: what was not used for five days goes, what was used stays; that is looked after once a
// day, and at most once an hour a file that is used gets a new time.
func TestTrim(t *testing.T) {
	dir := t.TempDir()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	const day = 24 * time.Hour
	keys := []string{"aaused", "aaunused", "bbyoung"}
	fill := func() {
		for i, key := range keys {
			if err := c.Write(key, "o", []byte(key)); err != nil {
				t.Fatal(err)
			}
			aged(t, c.Path(key, "o"), []time.Duration{6 * day, 6 * day, 4 * day}[i])
		}
	}
	left := func() (list []string) {
		for _, key := range keys {
			if _, err := os.Stat(c.Path(key, "o")); err == nil {
				list = append(list, key)
			}
		}
		return list
	}
	fill()
	if !c.Has("aaused", "o") {
		t.Fatal("aaused is not there")
	}
	for _, name := range []string{"goroot-old", "goroot-new", "cover-old"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "old") {
			aged(t, filepath.Join(dir, name), 6*day)
		}
	}
	temp, err := c.Temp(".o") // of a build that runs
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(temp, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	aged(t, temp, 6*day)
	c.Trim()
	if got := left(); !slices.Equal(got, []string{"aaused", "bbyoung"}) {
		t.Errorf("left %v", got)
	}
	for name, want := range map[string]bool{"goroot-old": false, "goroot-new": true, "cover-old": false, temp: true} {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}

	fill()
	c.Trim()
	if got := left(); len(got) != 3 {
		t.Errorf("trimmed again the same day: left %v", got)
	}
	aged(t, filepath.Join(dir, trimStamp), day+time.Minute)
	c.Trim()
	if got := left(); !slices.Equal(got, []string{"bbyoung"}) {
		t.Errorf("the next day: left %v", got)
	}

	for age, touched := range map[time.Duration]bool{30 * time.Minute: false, 2 * time.Hour: true} {
		aged(t, c.Path("bbyoung", "o"), age)
		c.Has("bbyoung", "o")
		st, err := os.Stat(c.Path("bbyoung", "o"))
		if err != nil || (time.Since(st.ModTime()) < age/2) != touched {
			t.Errorf("used after %v: its time is %v, %v", age, st.ModTime(), err)
		}
	}
}

// TestCacheSize: a cache that is larger than it may be loses what was used least recently, but
// nothing that a running build may have found. Only a build that has written something looks.
func TestCacheSize(t *testing.T) {
	dir := t.TempDir()
	open := func(limit int64) *Cache {
		c, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		c.Limit = limit
		return c
	}
	names := func() (list []string) {
		files, _ := filepath.Glob(filepath.Join(dir, "obj", "*", "*"))
		for _, f := range files {
			list = append(list, strings.TrimSuffix(filepath.Base(f), ".o"))
		}
		return list
	}
	// write has a build of its own write files of 100 bytes, which were used so many hours ago.
	write := func(limit int64, hours map[string]int) {
		c := open(limit)
		for name, h := range hours {
			if err := c.Write(name, "o", make([]byte, 100)); err != nil {
				t.Fatal(err)
			}
			aged(t, c.Path(name, "o"), time.Duration(h)*time.Hour+time.Minute)
		}
		c.Trim()
	}
	expect := func(what string, want ...string) {
		t.Helper()
		if got := names(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	write(1000, map[string]int{"aa09": 9, "aa08": 8, "aa07": 7})
	open(1000).Trim()
	expect("300 of 1000 bytes", "aa07", "aa08", "aa09")
	write(1000, map[string]int{"bb06": 6, "bb05": 5, "bb04": 4, "bb03": 3, "bb99": 99, "bb98": 98})
	expect("900 of 1000", "aa07", "aa08", "aa09", "bb03", "bb04", "bb05", "bb06", "bb98", "bb99")
	write(1000, map[string]int{"cc00": 0, "cc10": 10})
	expect("1100 of 1000", "aa07", "aa08", "aa09", "bb03", "bb04", "bb05", "bb06", "cc00", "cc10")
	if !open(1000).Has("cc10", "o") || !open(1000).Has("aa09", "o") {
		t.Error("a file is not there")
	}
	open(300).Trim()
	expect("900 of 300, of which 300 are in use", "aa09", "cc00", "cc10")
	write(200, map[string]int{"dd00": 0, "dd01": 1})
	expect("500 of 200, all in use", "aa09", "cc00", "cc10", "dd00", "dd01")
	for _, name := range names() {
		aged(t, open(200).Path(name, "o"), 5*time.Hour)
	}
	open(200).Trim()
	expect("nothing was written since", "aa09", "cc00", "cc10", "dd00", "dd01")
	write(0, map[string]int{"ee05": 5})
	expect("no limit", "aa09", "cc00", "cc10", "dd00", "dd01", "ee05")
	write(200, map[string]int{"ee04": 4})
	expect("700 of 200", "ee04")
	if err := os.Remove(filepath.Join(dir, sizeFile)); err != nil {
		t.Fatal(err)
	}
	write(1000, nil)
	if _, err := os.Stat(filepath.Join(dir, sizeFile)); err != nil {
		t.Error("a cache without an account was not looked through")
	}
	if err := Clean(dir); err != nil {
		t.Error(err)
	}
}

func TestUsages(t *testing.T) {
	dir := t.TempDir()
	sdk := filepath.Join(t.TempDir(), "file.go")
	for name, size := range map[string]int{"obj/aa/aab.o": 5, "obj/aa/aab.rec": 2, "obj/bb/b.test": 7, "fuzz/x": 11,
		"locks": 1, "goroot-1/src/own.go": 13, sdk: 100} {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, make([]byte, size), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(sdk, filepath.Join(dir, "goroot-1/src/file.go")); err != nil {
		t.Fatal(err)
	}
	want := "[{compiled packages 2 7} {shadow GOROOTs 1 13} {results of tests 1 7} {inputs found by fuzzing 1 11} {other 1 1} {in all 6 39}]"
	if got := fmt.Sprint(Usages(dir)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
