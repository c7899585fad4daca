package runtime

import (
	"internal/abi"
	"loam/rt/heap"
	"loam/rt/symtab"
	"unsafe"
)

// GODEBUG=checkfinalizers=1: what the collector suspects of finalizers and cleanups (rt/heap,
// checkcalls.go), in gc's words. The program ends with it.

// attachSite returns where the caller's caller outside this package is, if that is to be recorded.
func attachSite() uintptr {
	if !heap.ChecksCalls() {
		return 0
	}
	return userSite()
}

//go:noinline
func userSite() uintptr {
	var pcs [8]uintptr
	for _, pc := range pcs[:Callers(1, pcs[:])] {
		if !hasPrefix(frameAt(pc).Function, "runtime.") {
			return pc
		}
	}
	return 0
}

// reportCalls is heap's hook. It does not allocate.
func reportCalls(suspects []heap.SuspectCall, more bool) {
	emitString("WARNING: LIKELY CLEANUP/FINALIZER ISSUES\n\n")
	last := uintptr(0)
	for i := range suspects {
		c := &suspects[i]
		if c.Obj != last {
			if last != 0 {
				emitString("\n")
			}
			reportObject(c)
			last = c.Obj
		}
		code := c.Info.Code
		if c.Cleanup {
			emitString("\nHas cleanup at ")
		} else {
			emitString("\nHas finalizer at ")
			code = *(*uintptr)(c.Fn)
		}
		printhex(uint64(c.Record))
		emitString("\n")
		reportCode(code, false)
		emitString("created at: \n")
		reportCode(c.Info.Site, true)
	}
	emitString("\n")
	if more {
		emitString("... too many potential issues ...\n")
	}
	throw("detected possible issues with cleanups and/or finalizers")
}

// reportObject tells what is wrong with the object that c was attached to.
func reportObject(c *heap.SuspectCall) {
	t := (*abi.PtrType)(ptr(c.Info.ArgType)).Elem
	what := "finalizer"
	if c.Cleanup {
		what = "cleanup or cleanup argument"
	}
	emitString("Value of type ")
	emitString((*rtype)(unsafe.Pointer(t)).string())
	emitString(" at ")
	printhex(uint64(c.Obj))
	emitString("\n")
	if c.Reached {
		emitString("  is reachable from ")
		emitString(what)
		emitString("\n")
	}
	if c.Tiny {
		emitString("  is in a tiny block with other (possibly long-lived) values\n")
	}
	if c.Reached && c.Tiny {
		emitString("  may be in the same tiny block as ")
		emitString(what)
		emitString("\n")
	}
}

// reportCode tells which function pc is in, and where: its entry, or a return address.
func reportCode(pc uintptr, isReturn bool) {
	var out [symtab.MaxInline]symtab.Frame
	addr, tag := resolvePC(pc)
	if isReturn {
		addr--
	}
	n := symbolize(addr, &out)
	i := n - 1
	if isReturn {
		i = taggedFrame(n, tag)
	}
	if i < 0 || i >= n {
		emitString("  <bad pc ")
		printhex(uint64(pc))
		emitString(">\n")
		return
	}
	f := &out[i]
	emitString("  ")
	emitString(f.Func)
	emitString("()\n      ")
	printPosition(f)
	emitString(" +")
	printhex(uint64(addr - f.Entry))
	emitString("\n")
}
