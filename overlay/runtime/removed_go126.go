//go:build !go1.27

package runtime

// removedSince is the minor version of Go since which a setting must not have this value any more,
// 0 for all others. Up to Go 1.26 a program's environment may ask for what is gone.
func removedSince(key, value string) int { return 0 }
