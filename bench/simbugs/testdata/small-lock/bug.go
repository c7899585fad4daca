// Blocking, lock: a visit that fails closes the door, which it has closed before. Nobody else has
// that door. It is a small object between counters that stay in use.
package main

import (
	"sync"
	"time"
)

type door struct{ mu sync.Mutex }

var visits []*int64

func (d *door) close() {
	d.mu.Lock()
	d.mu.Unlock()
}

func (d *door) visit(count *int64) {
	d.mu.Lock()
	if *count++; *count > 0 {
		d.close()
	}
	d.mu.Unlock()
}

func main() {
	for range 2 {
		count, d := new(int64), new(door)
		visits = append(visits, count, new(int64))
		go d.visit(count)
	}
	time.Sleep(time.Millisecond)
}
