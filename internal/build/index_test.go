package build

import (
	"maps"
	"testing"
)

func TestIndex(t *testing.T) {
	files := map[string]fileStamp{"/a/b.go": {Size: 7, ModTime: 1 << 60, Hash: [32]byte{1, 31: 2}}, "": {Size: 1 << 40, ModTime: -1}}
	tools := map[string]string{"/usr/bin/clang-19 12 34": "19"}
	data := string(encodeIndex(files, tools))
	f, tl, err := decodeIndex(data)
	if err != nil || !maps.Equal(f, files) || !maps.Equal(tl, tools) {
		t.Fatalf("%v %v %v", f, tl, err)
	}
	for i := range data {
		if _, _, err := decodeIndex(data[:i]); err == nil {
			t.Errorf("the first %d of %d bytes are an index", i, len(data))
		}
	}
	for _, bad := range []string{data + "x", "other", indexHeader + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", indexHeader + "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"} {
		if _, _, err := decodeIndex(bad); err == nil {
			t.Errorf("%q is an index", bad)
		}
	}
}
