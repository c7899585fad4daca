//go:build loam

package channel

// Packages whose small functions the operations of a channel are to have inline (bodies cross packages
// only between direct importers: internal/inline).
import (
	_ "loam/rt/sched"
	_ "loam/rt/sys"
)
