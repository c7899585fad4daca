package syscall

import (
	"internal/rt/sys"
	"runtime"
	"unsafe"
)

// In a simulated run a process that the program starts is a process of the simulated world, which
// is asked for at once, without fork and exec.

// isSimulated reports whether the run is.
func isSimulated() bool { return sys.Simulated }

// unknown is the value of a variable that the environment does not have.
func unknown(variable string) string {
	if sys.Simulated {
		sys.SimUnknown(variable)
	}
	return ""
}

// callSpawn is a system call that only the simulated world has (rt/world, spawn.go).
const callSpawn = 1<<20 + 1

// spawning is its argument.
type spawning struct {
	path       *byte
	argv, envv []*byte
	dir        *byte // nil: the parent's
	files      []uintptr
	group      int32  // of processes: 0 a new one, -1 the parent's
	fate       int32  // signal for the process when its parent ends; 0: none
	other      string // what has no model; "": nothing
}

// spawn starts a process.
func spawn(argv0 *byte, argv, envv []*byte, chroot, dir *byte, attr *ProcAttr, how *SysProcAttr) (pid int, err Errno) {
	s := spawning{path: argv0, argv: argv, envv: envv, dir: dir, files: attr.Files, group: -1, fate: int32(how.Pdeathsig),
		other: unmodelled(how)}
	if how.Setsid {
		s.group = 0
	} else if how.Setpgid {
		s.group = int32(how.Pgid)
	}
	if how.PidFD != nil {
		*how.PidFD = -1 // there are none
	}
	r, _, err := RawSyscall(callSpawn, uintptr(unsafe.Pointer(&s)), 0, 0)
	runtime.KeepAlive(&s)
	return int(r), err
}

// unmodelled is what the simulated world does not have of what is asked for.
func unmodelled(how *SysProcAttr) string {
	switch {
	case how.Chroot != "":
		return "Chroot"
	case how.Credential != nil && (how.Credential.Uid != uint32(Getuid()) || how.Credential.Gid != uint32(Getgid())):
		return "Credential of another user"
	case how.Ptrace:
		return "Ptrace"
	case how.Setctty || how.Foreground:
		return "Ctty"
	case how.Cloneflags != 0 || how.Unshareflags != 0:
		return "Cloneflags"
	case how.UidMappings != nil || how.GidMappings != nil:
		return "UidMappings"
	case len(how.AmbientCaps) > 0:
		return "AmbientCaps"
	case how.UseCgroupFD:
		return "UseCgroupFD"
	}
	return ""
}
