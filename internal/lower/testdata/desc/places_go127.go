//go:build go1.27

package main

// places is the part of a map's descriptor that says where keys and elements are.
type places struct{ keysOff, keyStride, elemsOff, elemStride, elemOff uintptr }
