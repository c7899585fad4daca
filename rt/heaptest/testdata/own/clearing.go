// Large objects are made of memory that was used before, while collections mark. Until such an
// object is cleared it has pointers of the one before it, which keep nothing: what they point at
// need not be marked, and the verifier of marks must not miss it.
package main

import (
	"fmt"
	"runtime"
)

type small struct{ self *small }

const (
	objects = 4
	words   = 2 << 20
)

var large [objects][]*small

// fill makes the objects, with pointers to small ones that the result holds as well.
func fill() (kept []*small) {
	for k := range large {
		large[k] = make([]*small, words)
		for i := 0; i < words; i += 512 {
			if large[k][i] != nil {
				panic("not cleared")
			}
			s := new(small)
			s.self = s
			large[k][i] = s
			kept = append(kept, s)
		}
	}
	return kept
}

func main() {
	for range 10 {
		kept := fill()
		clear(large[:])
		runtime.GC() // frees the large objects alone
		runtime.KeepAlive(kept)
		kept = nil
		done := make(chan bool)
		go func() {
			for range objects {
				runtime.GC()
			}
			close(done)
		}()
		fill()
		<-done
		for k := range large {
			for i := 0; i < words; i += 512 {
				if s := large[k][i]; s.self != s {
					panic("lost")
				}
			}
		}
		clear(large[:])
	}
	fmt.Println("ok")
}
