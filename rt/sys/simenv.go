package sys

import "unsafe"

// The environment and the name of a simulated program are the same on every machine. One that
// another simulated program has started (child=1) has what that one gives it.

// pinned is what a simulated program's environment has, unless LOAMSIM says otherwise.
var pinned = [...]string{"HOME=/home/loam\x00", "PATH=/usr/local/bin:/usr/bin:/bin\x00", "TZ=UTC\x00", "USER=loam\x00"}

// mostSimEnv is how many variables LOAMSIM can name.
const mostSimEnv = 256

// simEnv is the vector of a simulated program's environment, and realEnv what the process has.
var (
	simEnv  [len(pinned) + mostSimEnv + 1]*byte
	realEnv **byte
)

// pinEnvironment puts a fixed environment in the place of the process's own. It has pinned, and the
// variables whose names LOAMSIM has in env=NAME;NAME, with the values that the process has, in that
// order. A pinned one that is named and that the process does not have is not there.
func pinEnvironment() {
	realEnv = Envp
	if simHas("child=1") {
		inheritEnvironment()
		return
	}
	names := simEnvNames()
	n := 0
	for _, p := range pinned {
		if !listed(names, p) {
			simEnv[n] = unsafe.StringData(p)
			n++
		}
	}
	for names != "" {
		var name string
		name, names = Cut(names, ';')
		if value := lookUp(Envp, name); value != nil {
			if n == len(simEnv)-1 {
				PrintString("LOAMSIM: env= has too many names\n")
				Exit(2)
			}
			simEnv[n] = value
			n++
		}
	}
	Envp = &simEnv[0]
}

// SimUnknown is called with the name of a variable that a simulated program has looked for and does
// not have. Set by rt/sched.
var SimUnknown func(variable string)

// inheritEnvironment takes LOAMSIM out of the environment, which is the last variable.
func inheritEnvironment() {
	n := 0
	for *(**byte)(unsafe.Add(unsafe.Pointer(Envp), uintptr(n)*unsafe.Sizeof(*Envp))) != nil {
		n++
	}
	if n > 0 {
		*(**byte)(unsafe.Add(unsafe.Pointer(Envp), uintptr(n-1)*unsafe.Sizeof(*Envp))) = nil
	}
}

// simHas reports whether LOAMSIM has the setting.
func simHas(setting string) bool {
	for rest := SimSetting; rest != ""; {
		var part string
		if part, rest = Cut(rest, ','); part == setting {
			return true
		}
	}
	return false
}

// simEnvNames is the value of env= in LOAMSIM.
func simEnvNames() string {
	for rest := SimSetting; rest != ""; {
		var part string
		part, rest = Cut(rest, ',')
		if len(part) > 4 && part[:4] == "env=" {
			return part[4:]
		}
	}
	return ""
}

// listed reports whether the names have the one of a variable.
func listed(names, variable string) bool {
	own, _ := Cut(variable, '=')
	for names != "" {
		var name string
		if name, names = Cut(names, ';'); name == own {
			return true
		}
	}
	return false
}

// pinName takes the directory off the program's name, which is the last thing to say where it is.
func pinName() {
	if Argc == 0 || simHas("child=1") {
		return
	}
	name := CString(*Argv)
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			*Argv = (*byte)(unsafe.Add(unsafe.Pointer(*Argv), i+1))
			return
		}
	}
}
