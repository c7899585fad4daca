// Package disk is the file system of a simulated run: it begins as the real one, which is only
// read, and keeps what is changed in memory of its own.
//
// # Memory
//
// A disk is one region of memory at one address: nodes, names and pages lie in it and point at each
// other. So another process that maps it at the same address has the same disk, and a disk in a
// shared file survives the process that used it. What belongs to a process only, as which nodes it
// has open, is forgotten by Attach.
//
// # The real files
//
// A node made for a real file knows its path. A directory takes in the real one's names when they
// are asked for, a file its bytes page by page when they are about to change. A real name that is
// removed leaves an entry without a node.
//
// # What survives a crash
//
// Sync of a file makes its bytes and its size durable, Sync of a directory all changes of names so
// far, in whatever directory: names go through one journal. Crash throws away what is not durable,
// or not all of it, as disks do: of the journal a prefix survives, of the bytes any sectors. The
// journal does not grow for ever: half of it becomes durable when it is long.
//
// The package is pure: what it needs of the system and of the oracle it is given as functions
// (Host). Its tests run under the official toolchain.
package disk
