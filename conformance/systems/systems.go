// Package systems is a module of worlds: servers of other people, unmodified, run as machines that
// crash and are separated from each other, each under many seeds (make sim-systems). The tests of
// what they are made of run so, too.
//
// It is a module of its own because Loam's does not depend on any of them.
package systems

import (
	_ "go.etcd.io/raft/v3"
	_ "go.etcd.io/raft/v3/rafttest"
)
