// Order, finalizer: the wrapper of a descriptor is collected while the descriptor is in use.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

type file struct{ fd int }

func open(path string) (*file, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	f := &file{fd}
	runtime.SetFinalizer(f, func(f *file) { syscall.Close(f.fd) })
	return f, nil
}

func readAll(path string) (string, error) {
	f, err := open(path)
	if err != nil {
		return "", err
	}
	fd := f.fd
	var text []byte
	buf := make([]byte, 8)
	for {
		n, err := syscall.Read(fd, buf)
		if err != nil {
			return "", err
		}
		if n == 0 {
			break
		}
		text = append(text, buf[:n]...)
	}
	return string(text), nil
}

func main() {
	path := filepath.Join(os.TempDir(), "x")
	want := "a text that takes several calls of read"
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		panic(err)
	}
	for range 20 {
		if s, err := readAll(path); err != nil || s != want {
			panic(fmt.Sprintf("%q %v", s, err))
		}
	}
}
