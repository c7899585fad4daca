//go:build loam

// Kv is the world of a replicated store: three machines that run examples/sim/kv/server, and a
// client, which this program is.
//
//	loam sim -sim=1000 ./examples/sim/kv           finds what the server does wrong
//	loam sim -sim=1000 ./examples/sim/kv -fixed    nothing
package main

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"testing/sim"
	"time"
)

var nodes []*sim.Machine

func main() {
	names := []string{"n1", "n2", "n3"}
	for _, name := range names {
		args := append(os.Args[1:], name+":7000")
		for _, peer := range names {
			args = append(args, peer+":7000")
		}
		nodes = append(nodes, sim.NewMachine(name, "./server", args...))
	}
	for _, n := range nodes {
		n.Start()
	}
	r := sim.Rand()
	for i := range 5 {
		value := fmt.Sprint("value", i)
		until("set x "+value, "ok", r)

		// One machine loses its power, or is alone for a while.
		victim := nodes[r.IntN(len(nodes))]
		if r.IntN(2) == 0 {
			victim.Restart()
		} else {
			sim.Partition(victim.Name)
		}

		got := until("get x", "value", r)
		if got != value {
			fmt.Printf("%s was acknowledged, but then there is %q\n", value, got)
			os.Exit(1)
		}
		sim.Heal()
	}
}

// until sends a line to nodes until one has done what it says, and returns the rest of the answer.
func until(line, want string, r *rand.Rand) string {
	for {
		answer, err := ask(nodes[r.IntN(len(nodes))], line)
		if word, rest, _ := strings.Cut(answer, " "); err == nil && word == want {
			return rest
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func ask(n *sim.Machine, line string) (string, error) {
	c, err := net.DialTimeout("tcp", n.Name+":7000", time.Second)
	if err != nil {
		return "", err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(2 * time.Second))
	fmt.Fprintln(c, line)
	answer, err := bufio.NewReader(c).ReadString('\n')
	if answer == "" && err == nil {
		err = errors.New("no answer")
	}
	return strings.TrimSuffix(answer, "\n"), err
}
