package runtime

import (
	"internal/goversion"
	"loam/rt/sched"
	"loam/rt/synctest"
	"loam/rt/sys"
	"sync/atomic"
	"unsafe"
)

// Arguments and environment as the kernel passed them. Package syscall keeps the program's own view
// of the environment; this is its starting value.

// stringVector returns the n strings of a vector of C strings; their bytes are shared.
func stringVector(v **byte, n int) []string {
	s := make([]string, n)
	for i := range s {
		s[i] = gostringnocopy(*(**byte)(add(unsafe.Pointer(v), uintptr(i)*8)))
	}
	return s
}

//go:linkname os_runtime_args os.runtime_args
func os_runtime_args() []string { return stringVector(sys.Argv, int(sys.Argc)) }

//go:linkname syscall_runtime_envs syscall.runtime_envs
func syscall_runtime_envs() []string {
	n := 0
	for *(**byte)(add(unsafe.Pointer(sys.Envp), uintptr(n)*8)) != nil {
		n++
	}
	envs := stringVector(sys.Envp, n)
	kept := envs[:0]
	for _, e := range envs {
		if !hasPrefix(e, traceFileEnv+"=") && !hasPrefix(e, flightEnv+"=") && !(sys.Secure() && hasPrefix(e, "GOTRACEBACK=")) {
			kept = append(kept, e)
		}
	}
	if sys.Secure() {
		kept = append(kept, "GOTRACEBACK=none")
	}
	return kept
}

// gogetenv returns an environment variable's value at the start of the process.
func gogetenv(name string) string {
	v, _ := sys.Getenv(name)
	return v
}

// getAuxv returns the kernel's auxiliary vector; golang.org/x/sys/cpu pulls it.
func getAuxv() []uintptr {
	n := 0
	p := sys.Auxv
	for *(*uintptr)(add(unsafe.Pointer(p), uintptr(n)*8)) != 0 {
		n += 2
	}
	return unsafe.Slice(p, n)
}

//go:linkname syscall_Getpagesize syscall.Getpagesize
func syscall_Getpagesize() int { return sys.PageSize }

//go:linkname os_sigpipe os.sigpipe
func os_sigpipe() {
	if sched.SIGPIPEKills() {
		endTraceOfDying(func() string { return "signal: broken pipe" })
		sched.DieBySignal(sys.SIGPIPE)
	}
}

// GODEBUG. Package internal/godebug reads the settings of the standard library from what is passed
// to the update function; the few that concern the run-time system are parsed here.

// godebugDefault holds the settings that the go command found in go.mod and //go:debug lines.
//
//go:linkname godebugDefault loam.godebug
var godebugDefault string

var (
	godebugUpdate atomic.Pointer[func(string, string)]
	godebugEnv    atomic.Pointer[string]
	godebugNewInc atomic.Pointer[func(string) func()]
)

//go:linkname godebug_setUpdate internal/godebug.setUpdate
func godebug_setUpdate(update func(string, string)) {
	godebugUpdate.Store(&update)
	godebugChanged()
}

//go:linkname godebug_setNewIncNonDefault internal/godebug.setNewIncNonDefault
func godebug_setNewIncNonDefault(newInc func(string) func()) { godebugNewInc.Store(&newInc) }

//go:linkname godebug_registerMetric internal/godebug.registerMetric
func godebug_registerMetric(name string, read func() uint64) { registerMetric(name, read) }

func godebugChanged() {
	env := ""
	if p := godebugEnv.Load(); p != nil {
		env = *p
	}
	parseDebug(env)
	if update := godebugUpdate.Load(); update != nil {
		(*update)(godebugDefault, env)
	}
}

//go:linkname syscall_runtimeSetenv syscall.runtimeSetenv
func syscall_runtimeSetenv(key, value string) {
	setCEnv(key, value)
	if key == "GODEBUG" {
		godebugEnv.Store(&value)
		godebugChanged()
	}
}

//go:linkname syscall_runtimeUnsetenv syscall.runtimeUnsetenv
func syscall_runtimeUnsetenv(key string) {
	unsetCEnv(key)
	if key == "GODEBUG" {
		godebugEnv.Store(nil)
		godebugChanged()
	}
}

//go:linkname syscall_runtimeClearenv syscall.runtimeClearenv
func syscall_runtimeClearenv(env map[string]int) {
	if sys.HasC() {
		for key := range env {
			unsetCEnv(key)
		}
	}
	if _, ok := env["GODEBUG"]; ok {
		syscall_runtimeUnsetenv("GODEBUG")
	}
}

// debugVars are the settings that this package acts on.
var debugVars struct {
	panicNil  atomic.Bool
	panicNilN countedSetting
}

// countedSetting reports uses of a non-default behaviour to internal/godebug's metrics.
type countedSetting struct{ inc atomic.Pointer[func()] }

func (c *countedSetting) used(name string) {
	inc := c.inc.Load()
	if inc == nil {
		newInc := godebugNewInc.Load()
		if newInc == nil {
			return
		}
		f := (*newInc)(name)
		c.inc.CompareAndSwap(nil, &f)
		inc = c.inc.Load()
	}
	(*inc)()
}

// debugPanicNil reports whether panic(nil) panics with nil, as before Go 1.21.
func debugPanicNil() bool {
	if !debugVars.panicNil.Load() {
		return false
	}
	debugVars.panicNilN.used("panicnil")
	return true
}

// parseSettings reads the environment at the start. GOGC, GOMEMLIMIT and GOMAXPROCS are read by
// their owners.
func parseSettings() {
	level := parseTraceback(gogetenv("GOTRACEBACK"))
	traceFromEnv.Store(level)
	traceSetting.Store(level)
	if env, ok := sys.Getenv("GODEBUG"); ok {
		godebugEnv.Store(&env)
		parseDebug(env)
		startSettings(env)
	} else {
		parseDebug("")
	}
}

// parseDebug applies settings: the program's defaults, then the environment's. In each the last one
// counts.
func parseDebug(env string) {
	panicNil, asyncTimers, noCgoCheck, labels := false, false, false, labelsByDefault
	for _, list := range [...]string{godebugDefault, env} {
		for list != "" {
			var field string
			field, list = sys.Cut(list, ',')
			key, value := sys.Cut(field, '=')
			n, ok := parseInt(value)
			if !ok {
				continue
			}
			switch key {
			case "cgocheck":
				noCgoCheck = n == 0
			case "panicnil":
				panicNil = n == 1
			case "inittrace":
				traceInit = n == 1
			case "tracebacklabels":
				labels = n == 1
			case "asynctimerchan":
				asyncTimers = n != 0 && goversion.Version < 27
			}
		}
	}
	cgoCheckOff = noCgoCheck
	debugVars.panicNil.Store(panicNil)
	tracebackLabels.Store(labels)
	synctest.AsyncTimers.Store(asyncTimers)
}

// parseInt reads a decimal number.
func parseInt(s string) (v int, ok bool) {
	negative := false
	if s != "" && s[0] == '-' {
		negative, s = true, s[1:]
	}
	if s == "" || len(s) > 18 {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		v = v*10 + int(s[i]-'0')
	}
	if negative {
		v = -v
	}
	return v, true
}
