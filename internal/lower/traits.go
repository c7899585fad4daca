package lower

import "loam/internal/mid"

// trait is something that the compiler knows of a function by its symbol.
type trait uint16

const (
	// collects: callers want to see dead objects dead (internal/plan). A profile may be that of leaked
	// goroutines, which wait for what is dead.
	collects trait = 1 << iota
	// parks: it waits for another goroutine, or for the world (internal/plan).
	parks
	// parksBriefly: it does so, seldom for long.
	parksBriefly
	// seesFrame: it speaks of the frame that it is in, and has no definition.
	seesFrame
	// wraps: it is between a call of a function value made by reflect and the code that the value
	// stands for. recover sees through it as it does through compiler-made wrappers.
	wraps
	// givesEntry: entryAddress expands it. Its body knows func values only.
	givesEntry
	// inLoops: loops over words of math/big call it, and LLVM finds it a little too big to inline. The
	// next round of the loop waits for what such a call returns. Inlined, less lies between: how far
	// to shift is known before the loop.
	inLoops
	// registers: it is of the run-time system, and modules pull its name by go:linkname. Its func
	// value leads to code that can be called by gc's register convention as well
	// (overlay/runtime/registers.gas).
	registers
)

// traits has all symbols with traits. Functions that are expanded in place have a table of their
// own (intrinsics.go).
var traits = map[string]trait{
	"runtime.GC":                            collects,
	"runtime/debug.WriteHeapDump":           collects,
	"runtime/debug.FreeOSMemory":            collects,
	"runtime/debug.freeOSMemory":            collects,
	"runtime/pprof.(*Profile).WriteTo":      collects,
	"runtime/pprof.runtime_goroutineLeakGC": collects,

	"time.Sleep":                                      parks,
	"sync.(*Cond).Wait":                               parks,
	"sync.(*WaitGroup).Wait":                          parks,
	"sync.(*Mutex).Lock":                              parksBriefly,
	"sync.(*RWMutex).Lock":                            parksBriefly,
	"sync.(*RWMutex).RLock":                           parksBriefly,
	"internal/sync.(*Mutex).Lock":                     parksBriefly,
	"internal/sync.(*Mutex).lockSlow":                 parksBriefly,
	"sync.(*Once).doSlow":                             parksBriefly,
	"io.ReadFull":                                     parksBriefly,
	"io.ReadAtLeast":                                  parksBriefly,
	"io.ReadAll":                                      parks,
	"io.Copy":                                         parks,
	"io.CopyBuffer":                                   parks,
	"bufio.(*Reader).Peek":                            parksBriefly,
	"bufio.(*Reader).Read":                            parksBriefly,
	"bufio.(*Reader).ReadByte":                        parksBriefly,
	"bufio.(*Reader).ReadBytes":                       parksBriefly,
	"bufio.(*Reader).ReadLine":                        parksBriefly,
	"bufio.(*Reader).ReadRune":                        parksBriefly,
	"bufio.(*Reader).ReadSlice":                       parksBriefly,
	"bufio.(*Reader).ReadString":                      parksBriefly,
	"bufio.(*Scanner).Scan":                           parksBriefly,
	"fmt.Fscan":                                       parksBriefly,
	"fmt.Fscanf":                                      parksBriefly,
	"fmt.Fscanln":                                     parksBriefly,
	"fmt.Scan":                                        parksBriefly,
	"fmt.Scanf":                                       parksBriefly,
	"fmt.Scanln":                                      parksBriefly,
	"os/exec.(*Cmd).Run":                              parks,
	"os/exec.(*Cmd).Wait":                             parks,
	"os/exec.(*Cmd).Output":                           parks,
	"os/exec.(*Cmd).CombinedOutput":                   parks,
	"os.(*Process).Wait":                              parks,
	"net.Dial":                                        parks,
	"net/http.Get":                                    parks,
	"net/http.(*Client).Do":                           parks,
	"net/http.(*Client).Get":                          parks,
	"net/http.Serve":                                  parks,
	"net/http.ListenAndServe":                         parks,
	"net/http.ListenAndServeTLS":                      parks,
	"net/http.(*Server).Serve":                        parks,
	"net/http.(*Server).ListenAndServe":               parks,
	"net/http.(*Server).ListenAndServeTLS":            parks,
	"net/rpc.(*Client).Call":                          parks,
	"golang.org/x/sync/errgroup.(*Group).Wait":        parks,
	"golang.org/x/sync/semaphore.(*Weighted).Acquire": parks,

	"internal/rt/sys.FramePointer":     seesFrame,
	"internal/rt/sys.CallerPC":         seesFrame,
	"internal/runtime/sys.GetCallerPC": seesFrame,
	"internal/runtime/sys.GetCallerSP": seesFrame,

	"reflect.makeFuncEntry":    wraps,
	"reflect.methodValueEntry": wraps,
	"reflect.callReflect":      wraps,
	"reflect.callMethod":       wraps,
	"reflect.callFrame":        wraps,

	"internal/abi.FuncPCABI0":        givesEntry,
	"internal/abi.FuncPCABIInternal": givesEntry,

	"math/big.divWW": inLoops,

	"runtime.memmove":              registers,
	"runtime.memclrNoHeapPointers": registers,
	"runtime.memequal":             registers,
}

// has reports whether f has one of these traits.
func (m *symbols) has(f *mid.Func, t trait) bool {
	known, ok := m.traits[f]
	if !ok {
		known = traits[m.funcSym(f)]
		m.traits[f] = known
	}
	return known&t != 0
}
