//go:build !go1.27

package sched

// survivedStatus is the status of a process that a signal should have killed and has not.
func survivedStatus(sig int32) int32 { return 2 }
