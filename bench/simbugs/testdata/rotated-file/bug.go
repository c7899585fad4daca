// Check then act, file: the log is rotated between the look at its file and the write.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

type rotator struct {
	mu   sync.Mutex
	path string
	f    *os.File
	n    int
}

func (r *rotator) file() *os.File {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.f
}

func (r *rotator) write(s string) error {
	_, err := fmt.Fprintln(r.file(), s)
	return err
}

func (r *rotator) rotate() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.f.Close()
	r.n++
	var err error
	if err = os.Rename(r.path, fmt.Sprint(r.path, ".", r.n)); err != nil {
		return err
	}
	r.f, err = os.Create(r.path)
	return err
}

func main() {
	r := &rotator{path: filepath.Join(os.TempDir(), "log")}
	var err error
	if r.f, err = os.Create(r.path); err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for i := 0; i < 5; i++ {
			if err := r.write(fmt.Sprint("line ", i)); err != nil {
				panic(err)
			}
		}
	}()
	go func() {
		defer wg.Done()
		if err := r.rotate(); err != nil {
			panic(err)
		}
	}()
	wg.Wait()
	r.f.Close()
	a, _ := os.ReadFile(r.path)
	b, _ := os.ReadFile(r.path + ".1")
	if n := bytes.Count(append(b, a...), []byte("\n")); n != 5 {
		panic(fmt.Sprintf("%d lines", n))
	}
}
