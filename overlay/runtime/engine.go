package runtime

// The parts of the engine that no code here calls by name: compiled code and the standard library
// reach them through go:linkname, so they have to be in every program.
import (
	_ "loam/rt/channel"
	_ "loam/rt/netpoll"
	_ "loam/rt/sema"
	_ "loam/rt/timer"
)
