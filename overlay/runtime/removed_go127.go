//go:build go1.27

package runtime

import "internal/godebugs"

// removedSince is the minor version of Go since which a setting must not have this value any more,
// because it asks for behaviour that is gone, 0 for all others.
func removedSince(key, value string) int {
	for i := range godebugs.Removed {
		if r := &godebugs.Removed[i]; r.Name == key && r.Old(value) {
			return r.Removed
		}
	}
	return 0
}
