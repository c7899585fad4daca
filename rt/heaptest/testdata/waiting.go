// Objects that only something that waits knows: a goroutine in a select, in a system call, under a lock, in a coroutine; a panic on its
// way through deferred calls; a timer, a cleanup, a pool; an iterator of a map that grows; an address inside of an object, or
// computed from one. Other goroutines make garbage and have it collected meanwhile. Each object knows what it should contain; with
// gcpoison=1 one that was lost does not.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unique"
	"unsafe"
)

type thing struct {
	id   int
	self *thing
	next *thing
	data [5]int
	name []byte
}

//go:noinline
func made(id int) *thing {
	t := &thing{id: id, name: fmt.Appendf(nil, "thing %d", id)}
	t.self = t
	t.next = &thing{id: id + 1}
	for i := range t.data {
		t.data[i] = id * i
	}
	return t
}

//go:noinline
func (t *thing) check(where string) {
	if t.self != t || t.next.id != t.id+1 || t.data[4] != t.id*4 || string(t.name) != fmt.Sprint("thing ", t.id) {
		fmt.Printf("%s: object %d is broken: %+v\n", where, t.id, *t)
		os.Exit(1)
	}
}

// pause lets others run and collect.
func pause(id int) {
	switch id % 3 {
	case 0:
		runtime.Gosched()
	case 1:
		time.Sleep(20 * time.Microsecond)
	case 2:
		for i := range 30 {
			made(i)
		}
	}
}

func inSelect(id int) {
	in, out, never := make(chan *thing), make(chan *thing), make(chan *thing)
	go func() {
		select {
		case out <- made(id):
		case <-never:
		case never <- made(id + 7):
		}
	}()
	go func() {
		pause(id)
		in <- made(id + 1)
	}()
	for range 2 {
		select {
		case t := <-in:
			t.check("received by select")
		case t := <-out:
			t.check("sent by select")
		case t := <-never:
			t.check("never sent")
		}
	}
}

func inBuffer(id int) {
	type parcel struct {
		pad [3]int
		t   *thing
		b   *thing
	}
	c := make(chan parcel, 3)
	for i := range 3 {
		c <- parcel{t: made(id + i), b: made(id - i)}
	}
	close(c)
	pause(id)
	for p := range c {
		p.t.check("in a channel's buffer")
		p.b.check("in a channel's buffer, last word")
	}
}

func inSyscall(id int) {
	var p [2]int
	if err := syscall.Pipe(p[:]); err != nil {
		panic(err)
	}
	defer syscall.Close(p[0])
	done := make(chan bool)
	go func() {
		t, buf := made(id), make([]byte, 8)
		syscall.Read(p[0], buf) // blocks the thread
		t.check("in a system call")
		if string(buf) != "12345678" {
			panic("buffer of a system call")
		}
		done <- true
	}()
	pause(id)
	syscall.Write(p[1], []byte("12345678"))
	<-done
	syscall.Close(p[1])
}

type failure struct{ t *thing }

func (f failure) Error() string { return string(f.t.name) }

func panicking(id int) {
	defer func() {
		f := recover().(failure)
		f.t.check("panic's value")
	}()
	for i := range 3 {
		t := made(id + i)
		defer func(u *thing) {
			pause(id + i)
			t.check("captured by a deferred call")
			u.check("argument of a deferred call")
			if i == 1 {
				old := recover().(failure)
				defer old.t.check("recovered")
				panic(failure{made(id + 10)})
			}
		}(made(id + 20 + i))
	}
	panic(failure{made(id)})
}

func exiting(id int) {
	var wg sync.WaitGroup
	wg.Go(func() {
		t := made(id)
		defer func() {
			pause(id)
			t.check("in a deferred call of Goexit")
		}()
		runtime.Goexit()
	})
	wg.Wait()
}

func inTimer(id int) {
	done := make(chan bool)
	func() {
		t := made(id)
		time.AfterFunc(time.Duration(id%50)*time.Microsecond, func() {
			t.check("in a timer's function")
			close(done)
		})
	}()
	pause(id)
	<-done
}

func inContext(id int) {
	type key struct{}
	ctx, cancel := context.WithTimeoutCause(context.WithValue(context.Background(), key{}, made(id)), 30*time.Microsecond, failure{made(id + 1)})
	defer cancel()
	pause(id)
	<-ctx.Done()
	ctx.Value(key{}).(*thing).check("context's value")
	var f failure
	if !errors.As(context.Cause(ctx), &f) {
		panic("cause")
	}
	f.t.check("cause of a context's end")
}

func inCoroutine(id int) {
	next, stop := iter.Pull2(func(yield func(int, *thing) bool) {
		mine := made(id)
		defer func() { mine.check("in a coroutine that ends") }()
		for i := range 3 {
			if !yield(i, made(id+i)) {
				return
			}
			mine.check("in a coroutine")
		}
	})
	_, t, _ := next()
	pause(id)
	_, u, _ := next()
	t.check("yielded")
	u.check("yielded second")
	stop()
}

func inMap(id int) {
	m := map[*thing]*thing{}
	for i := range 9 {
		m[made(id+i)] = made(id - i)
	}
	n := 0
	for k, v := range m {
		k.check("map's key")
		v.check("map's element")
		if n++; n < 200 {
			m[made(id+100+n)] = made(n) // it grows under the iterator
		}
		if n%8 == 0 {
			pause(id)
			delete(m, k)
			k.check("deleted key")
		}
	}
}

func byAddress(id int) {
	t := made(id)
	inside := unsafe.Pointer(&t.data[4])
	a := make([]thing, 3)
	a[2] = *made(id + 1)
	a[2].self = &a[2]
	last := unsafe.Pointer(&a[2].name)
	t, a = nil, nil
	pause(id)
	(*thing)(unsafe.Add(inside, -int(unsafe.Offsetof(thing{}.data)+4*8))).check("by an address inside")
	(*thing)(unsafe.Pointer(uintptr(last) - unsafe.Offsetof(thing{}.name))).check("by an address inside of an array")
	s := unsafe.Slice(made(id+2), 1)
	tail := s[1:] // capacity 0: keeps nothing, and does no harm
	pause(id)
	s[0].check("slice of one")
	if cap(tail) != 0 {
		panic("tail")
	}
}

// copied moves values of many words while others take them away, so that copies are interrupted.
func copied(id int) {
	type big struct {
		t [40]*thing
	}
	var from, to big
	for i := range from.t {
		from.t[i] = made(id + i)
	}
	heap := new(big)
	for range 20 {
		*heap = from
		from = big{}
		to = *heap
		*heap = big{}
		from, to = to, big{}
		made(0)
	}
	for _, t := range from.t {
		t.check("in a struct that was copied")
	}
}

func byReflection(id int) {
	f := reflect.MakeFunc(reflect.TypeFor[func(*thing, int, thing) (*thing, any)](), func(args []reflect.Value) []reflect.Value {
		pause(id)
		v := args[2].Interface().(thing)
		return []reflect.Value{args[0], reflect.ValueOf(&v.next).Elem().Convert(reflect.TypeFor[any]())}
	}).Interface().(func(*thing, int, thing) (*thing, any))
	t, n := f(made(id), 1, *made(id + 3))
	t.check("result of a function of reflect's")
	if n.(*thing).id != id+4 {
		panic("reflection")
	}
	c := reflect.MakeChan(reflect.TypeFor[chan *thing](), 0)
	go c.Send(reflect.ValueOf(made(id + 5)))
	v, _ := c.Recv()
	v.Interface().(*thing).check("received by reflection")
}

var pool = sync.Pool{New: func() any { return made(1000) }}

func inPool(id int) {
	t := pool.Get().(*thing)
	t.check("from a pool")
	pool.Put(made(id))
	pause(id)
	pool.Put(t)
}

var cleaned atomic.Int64

func cleaning(id int) {
	t := made(id)
	runtime.AddCleanup(t, func(u *thing) {
		u.check("argument of a cleanup")
		cleaned.Add(1)
	}, made(id+1))
	f := made(id + 2)
	runtime.SetFinalizer(f, func(f *thing) {
		f.self = f // what made set
		f.check("finalized")
		cleaned.Add(1)
	})
	f.self = nil // a cycle with itself would never be finalized
	h := unique.Make(string(t.name) + "!")
	pause(id)
	if h.Value() != string(t.name)+"!" {
		panic("unique")
	}
	runtime.KeepAlive(t)
}

func blocked(id int) {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	ready := false
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			t := made(id + i)
			mu.Lock()
			for !ready {
				cond.Wait()
			}
			mu.Unlock()
			t.check("waiting for a condition")
		})
	}
	r, w := io.Pipe()
	wg.Go(func() {
		t := made(id)
		io.Copy(io.Discard, r)
		t.check("waiting for a pipe")
	})
	pause(id)
	mu.Lock()
	ready = true
	mu.Unlock()
	cond.Broadcast()
	w.Write(made(id).name)
	w.Close()
	wg.Wait()
}

func main() {
	parts := []func(int){inSelect, inBuffer, inSyscall, panicking, exiting, inTimer, inContext, inCoroutine, inMap, byAddress, copied, byReflection, inPool, cleaning, blocked}
	var over atomic.Bool
	var collector sync.WaitGroup
	collector.Go(func() {
		for ; !over.Load(); time.Sleep(300 * time.Microsecond) {
			runtime.GC()
		}
	})
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			for round := range 60 {
				for i := range parts {
					parts[(i+g)%len(parts)](g*1000 + round*30 + i)
				}
			}
		})
	}
	wg.Wait()
	over.Store(true)
	collector.Wait()
	for range 1000 {
		if cleaned.Load() >= 100 {
			break
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	fmt.Println("ok", cleaned.Load() >= 100)
}
