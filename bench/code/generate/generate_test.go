package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestWritten holds what is committed against what would be written.
func TestWritten(t *testing.T) {
	dir := t.TempDir()
	for _, p := range programs {
		if err := p.save(dir); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(p.name, "run.go")
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(filepath.Join("..", name)); !bytes.Equal(got, want) {
			t.Errorf("%s is not what go generate ./bench/code writes", name)
		}
	}
}
