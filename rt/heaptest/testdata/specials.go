// Finalizers, cleanups, weak pointers and unique values that goroutines attach to their own objects
// and to each other's, in any order, and take away: what is dead has its calls, each once, what
// lives has none and keeps its weak pointers.
package main

import (
	"fmt"
	"math/rand"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unique"
	"weak"
)

const (
	goroutines = 8
	each       = 400
)

type object struct {
	self  int
	other *object
}

var finalized, cleaned [goroutines * each]atomic.Int32

type wide struct {
	elements [each]int64
	p        *int
}

// attach gives all of the objects something, in any order, and takes some of it away again.
func attach(random *rand.Rand, objects []*object) []weak.Pointer[object] {
	weaks := make([]weak.Pointer[object], len(objects))
	stopped := make([]runtime.Cleanup, len(objects))
	for _, i := range random.Perm(len(objects)) {
		o := objects[i]
		weaks[i] = weak.Make(o)
		runtime.AddCleanup(o, func(n int) { cleaned[n].Add(1) }, o.self)
		stopped[i] = runtime.AddCleanup(o, func(n int) { cleaned[n].Add(100) }, o.self)
		if o.self%2 == 0 {
			runtime.SetFinalizer(o, func(o *object) { finalized[o.self].Add(1) })
		} else {
			runtime.SetFinalizer(o, func(o *object) { finalized[o.self].Add(100) })
		}
	}
	for _, i := range random.Perm(len(objects)) {
		stopped[i].Stop()
		if objects[i].self%2 != 0 {
			runtime.SetFinalizer(objects[i], nil)
		}
		if weak.Make(objects[i]) != weaks[i] || weaks[i].Value() != objects[i] {
			fmt.Println("another weak pointer to object", objects[i].self)
		}
	}
	return weaks
}

func main() {
	var all sync.WaitGroup
	kept := make([][]*object, goroutines)
	weaks := make([][]weak.Pointer[object], goroutines)
	for g := range goroutines {
		all.Go(func() {
			random := rand.New(rand.NewSource(int64(g)))
			objects := make([]*object, each)
			for i := range objects {
				objects[i] = &object{self: g*each + i}
			}
			weaks[g] = attach(random, objects)
			for i, o := range objects {
				if i%4 < 2 {
					kept[g] = append(kept[g], o)
				}
			}
		})
		all.Go(func() {
			// Elements of a large object have weak pointers of their own.
			w := new(wide)
			for i := range w.elements {
				e := weak.Make(&w.elements[i])
				if e != weak.Make(&w.elements[i]) || i > 0 && e == weak.Make(&w.elements[i-1]) || e.Value() != &w.elements[i] {
					fmt.Println("weak pointers to elements")
				}
			}
			runtime.KeepAlive(w)
		})
		all.Go(func() {
			for i := range each {
				name := fmt.Sprint("name", i%50)
				if h := unique.Make(name); h != unique.Make(fmt.Sprint("name", i%50)) || h.Value() != name {
					fmt.Println("unique values")
				}
			}
		})
	}
	all.Wait()
	dead := func() (n int) {
		for g := range goroutines {
			for i := range each {
				self := g*each + i
				if i%4 < 2 {
					if finalized[self].Load()+cleaned[self].Load() != 0 || weaks[g][i].Value() == nil {
						fmt.Println("object", self, "is taken for dead")
					}
					continue
				}
				want := int32(1 - self%2)
				if finalized[self].Load() == want && cleaned[self].Load() == 1 && weaks[g][i].Value() == nil {
					n++
				}
			}
		}
		return n
	}
	// A word that is left somewhere may keep a few.
	const enough = goroutines * each / 2 * 9 / 10
	for end := time.Now().Add(time.Hour); dead() < enough && time.Now().Before(end); {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	for i := range finalized {
		if finalized[i].Load() > 1 || cleaned[i].Load() > 1 {
			fmt.Println("object", i, "has", finalized[i].Load(), "calls of its finalizer, and", cleaned[i].Load(), "of its cleanups")
		}
	}
	fmt.Println("dead:", dead() >= enough)
	runtime.KeepAlive(kept)
}
