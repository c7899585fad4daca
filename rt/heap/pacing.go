package heap

import (
	"sync/atomic"

	"loam/rt/pacer"
)

// The goal of the next cycle, and how busy the collector was.

func initPacer() {
	if !cycle.ready {
		cycle.pacer.Init()
		cycle.ready = true
		atomic.StoreUint64(&cycle.trigger, cycle.pacer.Goal())
	}
}

// reviewGoal sets the goal by what takes memory now; objects is the heap. At the beginning of a
// cycle, when caches are empty and all is swept, or for a new setting; world stopped.
func reviewGoal(objects uint64) {
	if cycle.pacer.Bound() != noLimit {
		cycle.pacer.SetOverhead(overheadAhead())
		cycle.goal = goalForPages(objects)
	}
}

// gcCPU is the CPU time that the cycle took, in nanoseconds. In pauses all Ps are lost; what Ps
// with nothing else to do have marked is free.
func gcCPU(now int64, procs uint64) uint64 {
	return uint64(now-cycle.stopped+conc.still)*procs + uint64(conc.assistNs+conc.sliceNs)
}

// setTrigger takes over the pacer's goal. A concurrent cycle starts before it; if the world
// stands still while marking, the trigger is the goal.
func setTrigger() {
	cycle.goal = cycle.pacer.Goal()
	trigger := cycle.goal
	if concurrent() {
		trigger = cycle.pacer.Trigger()
	}
	atomic.StoreUint64(&cycle.trigger, trigger)
	setStep()
	publishLimit()
	watch(WatchGoal, goalInForce(), 0)
}

// SetCaches says how many Ps there are. World stopped, or at the start.
func SetCaches(n int) {
	cycle.caches = n
	setStep()
}

// setStep sets how much of the heap's growth each P may keep to itself.
func setStep() {
	trigger, live := atomic.LoadUint64(&cycle.trigger), atomic.LoadUint64(&cycle.live)
	atomic.StoreUint64(&cycle.step, pacer.Step(trigger-min(trigger, live), cycle.caches))
}

func procCount() int { return hooks.workers.Max() }

// setBudget is SetBudget at the start, or with the world stopped.
func setBudget(share, memory uint64) {
	cycle.pacer.SetBudget(share, memory)
	budgeted := uint32(0)
	if share > 0 {
		budgeted = 1
	}
	atomic.StoreUint32(&cycle.budgeted, budgeted)
}

// setPacer changes a setting. A cycle may be under way: the pacer is its as long as the
// world is stopped.
func setPacer(change func()) {
	whileStopped(StopForSettings, func() {
		initPacer()
		change()
		live, _ := liveBytes()
		reviewGoal(live)
		setTrigger()
	})
}

// gcFraction is the collector's share of the CPU time since the start.
func gcFraction() float64 {
	wall := nanotime() - stats.start
	if wall <= 0 {
		return 0
	}
	return float64(stats.gcTime) / (float64(wall) * float64(procCount()))
}

// PacerError is by which part of its goal the heap at the end of the last cycle's marking missed
// it: above 0 it had grown beyond, below 0 the collection came early. 0 if there was no cycle yet.
// Any stack.
func PacerError() float64 {
	if cycle.number == 0 || cycle.lastGoal == 0 {
		return 0
	}
	return (float64(cycle.after) - float64(cycle.lastGoal)) / float64(cycle.lastGoal)
}
