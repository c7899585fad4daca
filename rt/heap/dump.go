package heap

// Walks over the whole heap, for heap dumps.

// Frozen calls f on the system stack while the world is stopped, no cycle is under way, and every
// object is in its span: those that ForEachObject visits are the ones that the last cycle found
// alive or that were allocated since. f must not allocate. Goroutine stack, no locks. What f traces
// includes the frame of Frozen.
//
//loam:clear
func Frozen(f func()) {
	claimCycle()
	for !begin() {
		help()
	}
	claimWorld()
	onSystem(func() {
		sweepAll()
		watch(WatchStopping, StopForDump, 0)
		hooks.world.Stop()
		sweepAll()
		flushCaches()
		f()
		hooks.world.Start()
		finish()
	})
	unclaimCycle()
}

// Bounds returns the addresses between which all objects lie.
func Bounds() (lo, hi uintptr) { return arena.base, arena.base + arena.used }

// ForEachObject visits all objects; noscan ones hold no pointers. Within Frozen.
func ForEachObject(visit func(p, size uintptr, noscan bool)) {
	_, end := Bounds()
	for p := arena.base; p < end; {
		s := spanOf(p)
		if s == nil {
			p += pageSize
			continue
		}
		size := s.size
		if s.large {
			size = (s.request + 7) &^ 7
		}
		for i := uintptr(0); i < uintptr(s.slots); i++ {
			if s.allocated(i) {
				visit(s.slotAt(i), size, s.class.noscan())
			}
		}
		p = s.base + s.pageCount<<pageShift
	}
}

// ForEachGlobal visits the ranges outside stacks that the collector starts from. Within Frozen.
func ForEachGlobal(visit func(lo, hi uintptr)) {
	if lo, hi := dataRange(); lo < hi {
		visit(lo, hi)
	}
	if lo, hi := bssRange(); lo < hi {
		visit(lo, hi)
	}
	forPersistentRoots(visit)
}

// ForEachFinalizer visits the finalizers and cleanups that are attached to objects (obj is the
// object's address) and then those that are due. Within Frozen.
func ForEachFinalizer(visit func(obj uintptr, f *Finalizer, due bool)) {
	for s := specials.first; s != nil; s = s.spNext {
		s.specials.each(s.extent, func(sp *special) {
			f := Finalizer{Fn: sp.fn}
			switch sp.kind() {
			case specialFinalizer:
				f.Obj, f.Info = ptr(s.base+sp.offset()), sp.info
			case specialCleanup:
			default:
				return
			}
			visit(s.base+sp.offset(), &f, false)
		})
	}
	due := func(f *Finalizer) { visit(uintptr(f.Obj), f, true) }
	dueFinalizers.visit(due)
	dueCleanups.visit(due)
}
