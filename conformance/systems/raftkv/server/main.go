// Server is a node of a replicated store: hashicorp/raft decides what happens in which order, and
// keeps its log and its snapshots on the disk, the log in a bbolt database.
//
//	server NAME NODE...
//
// NAME is this node's, and NODE... are those of all. Nodes talk to each other on port 7000. On port
// 8000 each line of a client is a command, whose answer is a line:
//
//	set KEY VALUE    ok
//	get KEY          ok VALUE
//	log              ok INDEX HASH: how far the node has come, and what of
//
// A node that is not the leader says "other" to the first two, and "failed" stands for what may
// have happened or not.
package main

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/raft"
	boltdb "github.com/hashicorp/raft-boltdb/v2"
)

func main() {
	log.SetFlags(0)
	s := &store{values: map[string]string{}}
	if err := s.join(os.Args[1], os.Args[2:]); err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", ":8000")
	if err != nil {
		log.Fatal(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go s.serve(c)
	}
}

// store is the node's state, and its part of the cluster.
type store struct {
	raft *raft.Raft

	mu     sync.Mutex
	values map[string]string
	index  uint64 // of the last entry
	hash   uint64 // of all entries
}

const patience = 2 * time.Second

// join makes the node one of the cluster.
func (s *store) join(name string, nodes []string) error {
	config := raft.DefaultConfig()
	config.LocalID = raft.ServerID(name)
	config.LogOutput = io.Discard
	config.SnapshotThreshold, config.TrailingLogs = 16, 8
	config.SnapshotInterval = 2 * time.Second

	advertised, err := net.ResolveTCPAddr("tcp", name+":7000")
	if err != nil {
		return err
	}
	transport, err := raft.NewTCPTransport(":7000", advertised, 3, patience, io.Discard)
	if err != nil {
		return err
	}
	snapshots, err := raft.NewFileSnapshotStore(".", 2, io.Discard)
	if err != nil {
		return err
	}
	logs, err := boltdb.NewBoltStore("raft.db")
	if err != nil {
		return err
	}
	if s.raft, err = raft.NewRaft(config, s, logs, logs, snapshots, transport); err != nil {
		return err
	}
	var cluster raft.Configuration
	for _, n := range nodes {
		cluster.Servers = append(cluster.Servers, raft.Server{ID: raft.ServerID(n), Address: raft.ServerAddress(n + ":7000")})
	}
	if err := s.raft.BootstrapCluster(cluster).Error(); err != raft.ErrCantBootstrap {
		return err // the node is new; it has a state otherwise
	}
	return nil
}

func (s *store) serve(c net.Conn) {
	defer c.Close()
	for lines := bufio.NewScanner(c); lines.Scan(); {
		fmt.Fprintln(c, s.do(strings.Fields(lines.Text())))
	}
}

func (s *store) do(words []string) string {
	switch {
	case len(words) == 3 && words[0] == "set":
		return outcome(s.raft.Apply([]byte(words[1]+" "+words[2]), patience))
	case len(words) == 2 && words[0] == "get":
		// What others have been told lies in front of the barrier.
		if r := outcome(s.raft.Barrier(patience)); r != "ok" {
			return r
		}
		if r := outcome(s.raft.VerifyLeader()); r != "ok" {
			return r
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		return "ok " + s.values[words[1]]
	case len(words) == 1 && words[0] == "log":
		s.mu.Lock()
		defer s.mu.Unlock()
		return fmt.Sprintf("ok %d %x", s.index, s.hash)
	}
	return "what?"
}

func outcome(f raft.Future) string {
	switch f.Error() {
	case nil:
		return "ok"
	case raft.ErrNotLeader:
		return "other"
	}
	return "failed"
}

// Apply is raft.FSM's.
func (s *store) Apply(l *raft.Log) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := fnv.New64a()
	fmt.Fprintf(h, "%x %d %s", s.hash, l.Index, l.Data)
	s.index, s.hash = l.Index, h.Sum64()
	key, value, _ := strings.Cut(string(l.Data), " ")
	s.values[key] = value
	return nil
}

// Snapshot is raft.FSM's.
func (s *store) Snapshot() (raft.FSMSnapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "%d %x\n", s.index, s.hash)
	for key, value := range s.values {
		fmt.Fprintf(&b, "%s %s\n", key, value)
	}
	return snapshot(b.String()), nil
}

// Restore is raft.FSM's.
func (s *store) Restore(r io.ReadCloser) error {
	defer r.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	b := bufio.NewReader(r)
	if _, err := fmt.Fscanf(b, "%d %x\n", &s.index, &s.hash); err != nil {
		return err
	}
	s.values = map[string]string{}
	for {
		var key, value string
		_, err := fmt.Fscanf(b, "%s %s\n", &key, &value)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		s.values[key] = value
	}
}

// snapshot is a text that Restore reads.
type snapshot string

func (s snapshot) Persist(sink raft.SnapshotSink) error {
	if _, err := io.WriteString(sink, string(s)); err != nil {
		sink.Cancel()
		return err
	}
	return sink.Close()
}

func (s snapshot) Release() {}
