// Package link makes programs of objects. It orders the initialisers, writes what only the link
// knows (the startup module: initialisers, build information, ids), runs the linker, and completes
// what that has made. It knows packages by what it is given of them (Package), and no graph.
package link
