// Blocking, pipe: the reader ends at an error without closing its end; the writer waits for it.
package main

import (
	"errors"
	"io"
	"sync/atomic"
	"time"
)

func read(r *io.PipeReader) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	if head[0] != 'L' {
		return errors.New("bad header")
	}
	_, err := io.Copy(io.Discard, r)
	return err
}

func main() {
	var old atomic.Bool
	go old.Store(true)
	r, w := io.Pipe()
	go func() {
		defer w.Close()
		if old.Load() {
			w.Write([]byte("old format"))
		} else {
			w.Write([]byte("Loam"))
		}
	}()
	read(r)
	time.Sleep(time.Millisecond)
}
