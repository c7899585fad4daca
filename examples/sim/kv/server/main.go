// Server is a node of a replicated store. A value is written to a majority of the nodes before the
// client is told so, and read from a majority, of which at least one has the last one written:
//
//	server [-fixed] n1:7000 n1:7000 n2:7000 n3:7000    own address, addresses of all
//
// It knows nothing of any simulation.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"strings"
	"sync"
	"time"
)

var fixed = flag.Bool("fixed", false, "without the bug")

func main() {
	log.SetFlags(0)
	flag.Parse()
	own, all := flag.Arg(0), flag.Args()[1:]
	open := openStore
	if *fixed {
		open = openSynced
	}
	s, err := open("store.log")
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", own)
	if err != nil {
		log.Fatal(err)
	}
	n := &node{own: own, all: all, store: s}
	for {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go n.serve(c)
	}
}

// node answers lines: set and get of clients, store and read of other nodes.
type node struct {
	own   string
	all   []string
	store *store
}

const patience = 500 * time.Millisecond

func (n *node) serve(c net.Conn) {
	defer c.Close()
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		answer, err := n.answer(strings.Fields(lines.Text()))
		if err != nil {
			answer = "error " + err.Error()
		}
		if _, err := fmt.Fprintln(c, answer); err != nil {
			return
		}
	}
}

func (n *node) answer(words []string) (string, error) {
	switch {
	case len(words) == 3 && words[0] == "set":
		return "ok", n.set(words[1], words[2])
	case len(words) == 2 && words[0] == "get":
		_, value, err := n.get(words[1])
		return "value " + value, err
	case len(words) == 4 && words[0] == "store":
		var version int
		if _, err := fmt.Sscan(words[2], &version); err != nil {
			return "", err
		}
		return "stored", n.store.put(words[1], version, words[3])
	case len(words) == 2 && words[0] == "read":
		version, value := n.store.get(words[1])
		return fmt.Sprintf("%d %s", version, value), nil
	}
	return "", errors.New("what?")
}

// set gives the value a version that is higher than any before, and writes it to a majority.
func (n *node) set(key, value string) error {
	version, _, err := n.get(key)
	if err != nil {
		return err
	}
	_, err = n.majority(fmt.Sprintf("store %s %d %s", key, version+1, value))
	return err
}

// get returns what has the highest version in a majority.
func (n *node) get(key string) (version int, value string, err error) {
	answers, err := n.majority("read " + key)
	for _, a := range answers {
		var v int
		var text string
		fmt.Sscan(a, &v, &text)
		if v > version {
			version, value = v, text
		}
	}
	return version, value, err
}

// majority sends a line to all nodes, and returns the answers of the first majority.
func (n *node) majority(line string) (answers []string, err error) {
	type result struct {
		answer string
		err    error
	}
	results := make(chan result, len(n.all))
	for _, address := range n.all {
		go func() {
			answer, err := n.ask(address, line)
			results <- result{answer, err}
		}()
	}
	for range n.all {
		if r := <-results; r.err != nil {
			err = r.err
		} else if answers = append(answers, r.answer); len(answers) > len(n.all)/2 {
			return answers, nil
		}
	}
	return nil, fmt.Errorf("no majority: %v", err)
}

func (n *node) ask(address, line string) (string, error) {
	if address == n.own {
		return n.answer(strings.Fields(line))
	}
	c, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		return "", err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(patience))
	fmt.Fprintln(c, line)
	answer, err := bufio.NewReader(c).ReadString('\n')
	if rest, failed := strings.CutPrefix(answer, "error "); failed {
		return "", errors.New(rest)
	}
	return answer, err
}

// store is a map, and a log of what was put into it.
type store struct {
	mu     sync.Mutex
	values map[string]entry
	log    logFile
}

type entry struct {
	version int
	value   string
}

func (s *store) get(key string) (int, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.values[key]
	return e.version, e.value
}

// put keeps the value, unless there is a newer one.
func (s *store) put(key string, version int, value string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if version <= s.values[key].version {
		return nil
	}
	if err := s.log.append(fmt.Sprintf("%s %d %s", key, version, value)); err != nil {
		return err
	}
	s.values[key] = entry{version, value}
	return nil
}
