package goasm

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
)

// pcTableOf encodes values, each with the number of bytes that it holds for.
func pcTableOf(pairs ...int64) []byte {
	var b []byte
	value := int64(-1)
	for i := 0; i < len(pairs); i += 2 {
		b = binary.AppendVarint(b, pairs[i]-value)
		b = binary.AppendUvarint(b, uint64(pairs[i+1]))
		value = pairs[i]
	}
	return append(b, 0)
}

// filesOf is a reader of an object that has nothing but names of files.
func filesOf(names ...string) *reader {
	r := &reader{}
	r.offsets[blkFile+1] = uint32(len(names) * fileSize)
	text := ""
	for _, name := range names {
		r.b = binary.LittleEndian.AppendUint32(r.b, uint32(len(name)))
		r.b = binary.LittleEndian.AppendUint32(r.b, uint32(len(names)*fileSize+len(text)))
		text += name
	}
	r.b = append(r.b, text...)
	return r
}

// TestRows joins tables whose values change at different places.
func TestRows(t *testing.T) {
	r := filesOf("a.s", "dir/b.h")
	for _, test := range []struct {
		files, lines []byte
		want         []row
	}{
		{pcTableOf(0, 9), pcTableOf(4, 9), []row{{0, "a.s", 4}}},
		{pcTableOf(0, 9), pcTableOf(-1, 2, 300, 3, 2, 4), []row{{0, "", 0}, {2, "a.s", 300}, {5, "a.s", 2}}},
		{pcTableOf(0, 200, 1, 4, 0, 6), pcTableOf(7, 202, 1, 8), []row{{0, "a.s", 7}, {200, "dir/b.h", 7}, {202, "dir/b.h", 1}, {204, "a.s", 1}}},
		{nil, nil, nil},
	} {
		if rows, err := r.rows(test.files, test.lines); err != nil || !slices.Equal(rows, test.want) {
			t.Errorf("%v %v: %v, %v, want %v", test.files, test.lines, rows, err, test.want)
		}
	}
	if rows, err := r.rows(pcTableOf(2, 1), pcTableOf(1, 1)); err == nil {
		t.Errorf("a file that does not exist: %v", rows)
	}
	defer func() {
		if e := recover(); fmt.Sprint(e) != errTruncated.Error() {
			t.Errorf("a name behind the end: %v, want %v", e, errTruncated)
		}
	}()
	r.b = r.b[:len(r.b)-1]
	rows, err := r.rows(pcTableOf(1, 1), pcTableOf(1, 1))
	t.Error(rows, err)
}

func TestGasString(t *testing.T) {
	if got, want := gasString("a\"\\\nλ"), `"a\"\\\012\316\273"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
