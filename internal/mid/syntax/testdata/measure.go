package p

import "unsafe"

type record[T any] struct {
	head T
	tail [3]T
}

// The operand, which would panic, is not evaluated.
func size[T any](p *record[T]) uintptr {
	return unsafe.Sizeof(p.tail) + unsafe.Offsetof(p.tail) + unsafe.Alignof(*p)
}

var used = size[int32](nil)
