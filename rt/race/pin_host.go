//go:build !loam

package race

// In tests of this package a lock is held by a goroutine that Wait lets go on.

func pin()   {}
func unpin() {}
