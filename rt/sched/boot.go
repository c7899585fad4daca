package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/race"
	"loam/rt/sys"
)

// boot is the first run-time code after sys: initial stack, one thread, no signals
// handled. It ends with goroutine 1.
//
//go:linkname boot loam.boot
func boot() {
	t := sys.Self()
	sys.PID = sys.Getpid()
	sys.OpenStandardFiles()
	goStartPC = sys.CodeOf(sys.GoStart)
	initM(&m0, t)
	global.maxM = 10000
	global.nM = 1
	registerM(&m0)
	atomic.StoreInt64(&global.polledAt, sys.Nanotime())
	sys.StartTicks()
	debugSettings()
	if race.Enabled {
		beginRaces()
	}
	if sys.Simulated {
		simulate()
	}
	schedTraceSettings()

	heap.Init()
	startMemory()
	if sys.Simulated {
		heap.MarkStopped()
	}
	installHeapHooks()

	setProcs(startProcs())
	for i := nProcs - 1; i >= 0; i-- {
		allP[i].Status = pIdle
		if i > 0 {
			putIdleP(allP[i])
		}
	}
	setP(&m0, allP[0])

	sys.InitAltStack()
	sys.WatchCPU()
	installSignals()
	unblockSignals()
	threadStarted(&m0)
	sys.InitMembarrier()
	if !sys.Simulated {
		startSystemThread(monitorMain)
	}

	sys.Gogo(startMain())
}

// startMain makes goroutine 1 and begins with it. It is locked to the initial thread until
// main.main runs, and is on no queue first: another thread could take it.
func startMain() *sys.Context {
	fn := runtimeMain
	closure := *(*unsafe.Pointer)(unsafe.Pointer(&fn))
	p := m0.P
	g := newG(p, closure, 0, learnedClass(closure))
	g.lockCount, g.hasExtra = 1, true
	if sys.Simulated { // there is one thread
		begin(p, g)
		return pickNext()
	}
	g.BoundM, m0.boundG = &m0, g
	g.special |= isBound
	p.userBegins()
	return takeTurn(&m0, g, false)
}

// runtimeMain runs the package initialisers and main.main on goroutine 1.
//
//go:linkname runtimeMain runtime.main
func runtimeMain()
