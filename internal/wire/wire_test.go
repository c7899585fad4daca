package wire

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// TestRead: everything that is written is read, and of every shorter piece the reader says so.
func TestRead(t *testing.T) {
	numbers := []uint64{0, 1, 127, 128, 1 << 31, math.MaxUint64}
	signed := []int64{0, -1, 63, -64, 64, math.MinInt64, math.MaxInt64}
	texts := []string{"", "a", "longer than a byte"}
	data := []byte("header\n")
	for _, n := range numbers {
		data = binary.AppendUvarint(data, n)
	}
	for _, n := range signed {
		data = binary.AppendVarint(data, n)
	}
	data = AppendStrings(AppendUint(append(data, 'x'), 70000), texts)
	read := func(data string) bool {
		r := NewReader(data)
		same := r.Header("header\n")
		for _, n := range numbers {
			same = r.Uint64() == n && same
		}
		for _, n := range signed {
			same = r.Int64() == n && same
		}
		same = r.Byte() == 'x' && same
		same = r.Uint() == 70000 && same
		same = slices.Equal(r.Strings(), texts) && same
		if r.Done() && !same {
			t.Errorf("%q is read as something else", data)
		}
		return r.Done()
	}
	if !read(string(data)) {
		t.Error("what was written cannot be read")
	}
	for i := range data {
		if read(string(data[:i])) {
			t.Errorf("nothing is missed in the first %d bytes of %d", i, len(data))
		}
	}
	if read(string(data) + "\x00") {
		t.Error("what is left over goes unseen")
	}
}

// TestMisfit: numbers that cannot be what they should be are no numbers.
func TestMisfit(t *testing.T) {
	large := string(binary.AppendUvarint(nil, math.MaxUint64))
	for name, read := range map[string]func(r *Reader){
		"a negative number":    func(r *Reader) { r.Uint() },
		"a count of too many":  func(r *Reader) { r.Count() },
		"a string of too long": func(r *Reader) { _ = r.String() },
	} {
		r := NewReader(large)
		if read(r); r.OK() {
			t.Error(name, "is read")
		}
	}
	r := NewReader("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
	if r.Uint64(); r.OK() {
		t.Error("a number of too many bytes is read")
	}
}
