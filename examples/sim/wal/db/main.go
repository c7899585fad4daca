// Db is a database of accounts, as small as one can be that has a write-ahead log. A client sends
// lines:
//
//	move FROM TO AMOUNT    answered with ok when the move is sure to survive
//	list                   answered with the balances
//
// It knows nothing of any simulation.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net"
	"strings"
	"sync"
)

func main() {
	log.SetFlags(0)
	fixed := flag.Bool("fixed", false, "without the bug")
	flag.Parse()
	settle := settleAtOnce
	if *fixed {
		settle = settleInOrder
	}
	t, err := openTable(".", settle)
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", ":7000")
	if err != nil {
		log.Fatal(err)
	}
	s := &server{table: t}
	for {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go s.serve(c)
	}
}

type server struct {
	mu    sync.Mutex
	table *table
}

func (s *server) serve(c net.Conn) {
	defer c.Close()
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		answer := s.answer(strings.Fields(lines.Text()))
		if _, err := fmt.Fprintln(c, answer); err != nil {
			return
		}
	}
}

func (s *server) answer(words []string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(words) == 4 && words[0] == "move":
		var from, to int
		var amount int64
		if _, err := fmt.Sscan(strings.Join(words[1:], " "), &from, &to, &amount); err != nil {
			return "error " + err.Error()
		}
		if from < 0 || from >= accounts || to < 0 || to >= accounts || from == to {
			return "error no such accounts"
		}
		if err := s.table.move(from, to, amount); err != nil {
			log.Fatal(err) // what is on the disk now, the next start finds out
		}
		return "ok"
	case len(words) == 1 && words[0] == "list":
		return strings.Trim(fmt.Sprint(s.table.balances), "[]")
	}
	return "error what?"
}
