//go:build loam

package pool

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/sched"
	"loam/rt/sys"
)

// Pool is the state of a sync.Pool. The zero value is an empty pool. Both words are written under
// pools.lock, the generation first.
type Pool struct {
	epoch uint64 // of the generation; 0: none yet
	gen   uint64 // complement of the generation's address
}

// generation is followed by n shards, one a P.
type generation struct {
	next      unsafe.Pointer // in the list of its epoch
	n         uint64
	prev      uint64 // complement of the address of the pool's generation before, 0 for none
	prevEpoch uint64 // the epoch of that
	_         [4]uint64
}

// shard is what one P has of a generation. Only that P touches private, whatever the epoch.
type shard struct {
	private any
	Deque
}

var pools struct {
	epoch    uint64 // less 2; changes with the world stopped
	lock     sys.Mutex
	current  unsafe.Pointer // generations of the epoch
	previous unsafe.Pointer // and of the one before
	now      mark
	evicted  uint64 // values dropped by Turn
	kept     uint64 // values that the current victims had when they became that
}

// mark is the sums of the counts when the epoch began.
type mark struct{ puts, taken, victims uint64 }

// epoch is the number of the present epoch; pools that were never used have 0, and that may not
// look like the one before. Read where the goroutine cannot be stopped.
func epoch() uint64 { return pools.epoch + 2 }

func address(hidden uint64) *generation { return (*generation)(unsafe.Pointer(uintptr(^hidden))) }

func (g *generation) shard(i uint64) *shard {
	return (*shard)(unsafe.Add(unsafe.Pointer(g), unsafe.Sizeof(generation{})+uintptr(i)*unsafe.Sizeof(shard{})))
}

func proc() *sched.P { return (*sched.P)(sys.P()) }

// Get takes a value out of p, nil if there is none. Goroutine stack. Not to be inlined: only in
// this package's section may it do without pinning.
//
//go:noinline
func Get(p *Pool) any {
	if atomic.LoadUint64(&p.epoch) == epoch() {
		g, own := address(atomic.LoadUint64(&p.gen)), proc()
		if id := uint64(own.ID); id < g.n {
			s := g.shard(id)
			x := s.private
			if x != nil {
				s.private = nil
			} else {
				x = s.take()
			}
			if x != nil {
				own.Pools.Hits++
				return x
			}
		}
	}
	return getSlow(p)
}

// Put puts x, which is not nil, into p. As Get.
//
//go:noinline
func Put(p *Pool, x any) {
	if atomic.LoadUint64(&p.epoch) == epoch() {
		g, own := address(atomic.LoadUint64(&p.gen)), proc()
		if id := uint64(own.ID); id < g.n {
			s := g.shard(id)
			room := s.private == nil
			if room {
				s.private = x
			} else {
				room = s.push(x)
			}
			if room {
				own.Pools.Puts++
				if heap.Marking() {
					shade(x)
				}
				return
			}
		}
	}
	putSlow(p, x)
}

// shade is the barrier for an interface value that was stored.
//
//go:noinline
func shade(x any) {
	w := (*words)(unsafe.Pointer(&x))
	heap.Shade(w.typ)
	heap.Shade(w.val)
}

//go:noinline
func getSlow(p *Pool) any {
	sys.AcquireM()
	own := proc()
	x := getPinned(p, uint64(own.ID), &own.Pools)
	if x == nil {
		own.Pools.Misses++
	}
	sys.ReleaseM()
	return x
}

// getPinned looks for a value everywhere: in the P's own shard, in the others, in the victim.
// Pinned.
func getPinned(p *Pool, id uint64, c *sched.PoolCounts) any {
	var victim *generation
	now, e := epoch(), atomic.LoadUint64(&p.epoch)
	switch e {
	case now:
		g := address(atomic.LoadUint64(&p.gen))
		if id < g.n {
			s := g.shard(id)
			x := s.private
			s.private = nil
			if x == nil {
				x = s.take()
			}
			if x != nil {
				c.Hits++
				return x
			}
		}
		if x := g.steal(id + 1); x != nil {
			c.Steals++
			return x
		}
		if g.prev != 0 && g.prevEpoch == now-1 {
			victim = address(g.prev)
		}
	case now - 1:
		victim = address(atomic.LoadUint64(&p.gen))
	}
	if victim == nil {
		return nil
	}
	if id < victim.n {
		s := victim.shard(id)
		if x := s.private; x != nil {
			s.private = nil
			c.Victims++
			return x
		}
	}
	x := victim.steal(id)
	if x != nil {
		c.Victims++
	}
	return x
}

// steal takes a value from any deque of the generation, the first to be tried being number from.
func (g *generation) steal(from uint64) any {
	for i := uint64(0); i < g.n; i++ {
		if x := g.shard((from + i) % g.n).steal(); x != nil {
			return x
		}
	}
	return nil
}

// putSlow puts x where it takes more than a store. Memory is allocated with nothing held, as that
// may collect, or move the goroutine to another P; then everything is looked at again.
//
//go:noinline
func putSlow(p *Pool, x any) {
	var fresh, room unsafe.Pointer // memory for a generation, for a ring
	var procs, places uint64       // how much
	for {
		sys.AcquireM()
		g, own := current(p), proc()
		id := uint64(own.ID)
		if (g == nil || id >= g.n) && id < procs {
			g = begin(p, fresh, id, procs)
			fresh, procs = nil, 0
		}
		if g == nil || id >= g.n {
			sys.ReleaseM()
			procs = uint64(sched.NumP())
			fresh = heap.Alloc(unsafe.Sizeof(generation{})+uintptr(procs)*unsafe.Sizeof(shard{}), false, true)
			continue
		}
		s := g.shard(id)
		if s.put(x, room, places) {
			own.Pools.Puts++
			sys.ReleaseM()
			return
		}
		places = s.wanted()
		sys.ReleaseM()
		room = heap.Alloc(ringBytes(places), false, true)
	}
}

// put stores x; room is as for add. Pinned, by the shard's P.
func (s *shard) put(x any, room unsafe.Pointer, places uint64) bool {
	if s.private == nil {
		s.private = x
		shade(x)
		return true
	}
	return s.add(x, room, places)
}

// add is push with a larger ring, made of the zeroed memory at room, if the present one is full;
// false: there is no room. Owner only, in the collected heap.
func (d *Deque) add(x any, room unsafe.Pointer, places uint64) bool {
	if !d.push(x) {
		if room == nil || places < d.wanted() {
			return false
		}
		d.fill(room, places)
		heap.ShadeRange(room, ringBytes(places))
		d.adopt(room)
		heap.Shade(room)
		d.push(x)
	}
	shade(x)
	return true
}

// current is the generation of p if it is of this epoch, nil otherwise. Pinned.
func current(p *Pool) *generation {
	if atomic.LoadUint64(&p.epoch) != epoch() {
		return nil
	}
	return address(atomic.LoadUint64(&p.gen))
}

// begin makes the zeroed memory at fresh, with room for so many Ps, the generation of p in this
// epoch, unless another P was faster and its generation has room for P number id; the generation it
// returns has. If there was one with less room (GOMAXPROCS has grown), its values are lost. Pinned.
func begin(p *Pool, fresh unsafe.Pointer, id, procs uint64) *generation {
	pools.lock.Lock()
	g := current(p)
	if g == nil || id >= g.n {
		old := p.gen
		oldEpoch := p.epoch
		if g != nil {
			old, oldEpoch = g.prev, g.prevEpoch
		}
		g = (*generation)(fresh)
		g.n, g.prev, g.prevEpoch = procs, old, oldEpoch
		g.next, pools.current = pools.current, fresh
		heap.Shade(fresh)
		heap.Shade(g.next)
		sys.StoreRel64(&p.gen, ^uint64(uintptr(fresh)))
		sys.StoreRel64(&p.epoch, epoch())
	}
	pools.lock.Unlock()
	return g
}

// Turn begins an epoch. It is the heap's PoolCleanup: world stopped, at the beginning of a
// collection.
func Turn() {
	pools.previous, pools.current = pools.current, nil
	pools.epoch++
	c := sum()
	m := mark{puts: c.Puts, taken: c.Hits + c.Steals, victims: c.Victims}
	stored := (m.puts - pools.now.puts) - (m.taken - pools.now.taken)
	pools.evicted += pools.kept - (m.victims - pools.now.victims)
	pools.kept, pools.now = stored, m
	if Trace {
		traceTurn(c)
	}
}

// Trace is LOAMDEBUG=pool=1: a line at each collection.
var Trace bool

// traceTurn prints what happened to all pools until now.
func traceTurn(c sched.PoolCounts) {
	sys.BeginLine()
	for _, f := range [...]struct {
		name  string
		count uint64
	}{{"pool: epoch ", pools.epoch}, {": puts ", c.Puts}, {" hits ", c.Hits}, {" steals ", c.Steals}, {" victims ", c.Victims},
		{" misses ", c.Misses}, {" evictions ", pools.evicted}, {"; values that stay one more collection: ", pools.kept}} {
		sys.PrintString(f.name)
		sys.PrintUint(f.count)
	}
	sys.EndLine()
}

// Stats are the counts of all Ps since the start of the program.
type Stats struct {
	sched.PoolCounts
	Evictions uint64 // values that collections have dropped
}

// ReadStats sums up. The counts go on meanwhile unless the world is stopped.
func ReadStats() Stats { return Stats{sum(), pools.evicted} }

func sum() (t sched.PoolCounts) {
	sched.ForEachP(func(p *sched.P) {
		t.Puts += p.Pools.Puts
		t.Hits += p.Pools.Hits
		t.Steals += p.Pools.Steals
		t.Victims += p.Pools.Victims
		t.Misses += p.Pools.Misses
	})
	return t
}
