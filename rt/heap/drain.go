package heap

import "sync/atomic"

// What a marker does until nothing grey is left, alone or with others while the world is stopped.

// ahead is how many objects wait between their prefetch and their scan. The scan order
// is then a mixture of depth first and first in first out, which hides most of the
// latency of touching the object (Cher, Hosking, Vitek, 2004).
const ahead = 8

// drain scans until no worker has anything left.
func (w *worker) drain() {
	var queue [ahead]uintptr
	next, waiting := 0, 0
	for n := 1; ; n++ {
		e := w.pop()
		if e != 0 {
			prefetch(e & (1<<entryShift - 1))
			waiting++
		} else if waiting == 0 {
			if !w.findWork() {
				return
			}
			continue
		}
		e, queue[next] = queue[next], e
		next = (next + 1) % ahead
		if e == 0 {
			continue
		}
		waiting--
		w.scanEntry(e)
		if mark.parallel && n&31 == 0 && atomic.LoadInt32(&mark.idle) > 0 && bufs.full.empty() {
			w.share()
		}
	}
}

// findWork gets a full buffer or a root for a worker that has run dry, or waits. It
// returns false when all workers are dry: only a worker that is not dry can push
// buffers, and roots are claimed before going idle, so nothing can follow.
func (w *worker) findWork() bool {
	if w.takeFull() || w.scanRoot() {
		return true
	}
	atomic.AddInt32(&mark.idle, 1)
	for spins := 0; ; spins++ {
		if !bufs.full.empty() {
			atomic.AddInt32(&mark.idle, -1)
			if w.takeFull() {
				return true
			}
			atomic.AddInt32(&mark.idle, 1)
		}
		if atomic.LoadInt32(&mark.idle) == mark.n {
			return false
		}
		if spins&63 == 63 {
			yieldThread()
		} else {
			pause()
		}
	}
}

// markAll drains with as many workers as may help. Work is in roots and in the
// buffers of worker 0. World stopped, system stack.
func markAll() {
	n := 1
	if worthHelp() {
		n = min(hooks.workers.Max(), maxWorkers)
	}
	mark.n, mark.idle = int32(n), 0
	mark.parallel = n > 1
	for i := 1; i < n; i++ {
		mark.workers[i].start()
	}
	if n > 1 {
		hooks.workers.Run(n, markWorker)
	} else {
		mark.workers[0].drain()
	}
	mark.parallel = false
	for i := 1; i < n; i++ {
		w := &mark.workers[i]
		w.finish()
		mark.workers[0].bytes += w.bytes
		mark.workers[0].objects += w.objects
		mark.workers[0].scanned += w.scanned
	}
}

// worthHelp reports whether there is enough to mark to wake other threads for it.
func worthHelp() bool {
	return cycle.liveMarked+roots.stackBytes >= 1<<20 || roots.n > 64
}

func markWorker(i int) { mark.workers[i].drain() }

// scanEntry scans what one entry of a buffer stands for.
func (w *worker) scanEntry(e uintptr) {
	p := e & (1<<entryShift - 1)
	if class := e >> entryShift; class == 0 {
		w.scanChunk(p)
	} else {
		size := classSize(class)
		w.scanned += uint64(size)
		w.scanWords(p, p+size)
	}
}
