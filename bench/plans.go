package main

import (
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// A plan says how a program below bench is measured if nothing else is asked for.
type plan struct {
	rounds int
	each   string // the program runs once for each of these words; without any, once
	// The program has -list, and runs once for each name that this prints.
	listed bool
	// gc's and Loam's program run at the same time, each on a processor of its own. So they run
	// at the same clock, which a virtual machine may change by half within a second. Only for
	// figures that are processor time.
	paired bool
	hasC   bool // C is part of the program
	raced  bool // it is built with -race, too, and what that costs is measured (raced.go)
	// In the quick form: one round, these words instead, and these arguments before them.
	quickEach string
	quickArgs []string
}

// plans are those of the benches that have a page (bench/pages), and of those that print only.
var plans = map[string]plan{
	"basics":     {rounds: 5},
	"introspect": {rounds: 3},
	"goroutines": {
		rounds:    5,
		each:      "switch spawn work idle depth wide pingpong buffered fanin fanout select mutex timers echo http",
		quickEach: "switch spawn pingpong buffered mutex timers http",
		quickArgs: []string{"-small"},
	},
	"memory": {
		rounds:    5,
		each:      "alloc32 alloc1k trees graph cache json xml buffers pool parked running",
		quickEach: "alloc32 trees json buffers pool",
	},
	"code":     {rounds: 6, listed: true, paired: true},
	"sqlite":   {rounds: 6, listed: true, paired: true},
	"cgo":      {rounds: 5, listed: true, hasC: true},
	"race":     {rounds: 5, listed: true, raced: true},
	"asm":      {rounds: 3},
	"shutdown": {rounds: 3},
	"waiting": {
		rounds:    3,
		each:      "afterfunc tickers connections deadlines timeouts",
		quickEach: "afterfunc tickers",
		quickArgs: []string{"-for", "500ms"},
	},
	"servers": {
		rounds:    3,
		each:      loads("grpc-unary grpc-stream fasthttp http-json https-json broker key-value sql", 1, 50, 1000),
		quickEach: loads("grpc-unary http-json broker key-value", 50),
		quickArgs: []string{"-time", "500ms"},
	},
}

// loads are kinds of servers, each with some numbers of clients.
func loads(kinds string, clients ...int) string {
	var words []string
	for _, k := range strings.Fields(kinds) {
		for _, n := range clients {
			words = append(words, fmt.Sprintf("%s/%d", k, n))
		}
	}
	return strings.Join(words, " ")
}

// planOf is the program's plan.
func planOf(program string, quick bool) (p plan, err error) {
	p, ok := plans[program]
	if !ok {
		return p, fmt.Errorf("no program %q; there are %s", program, strings.Join(slices.Sorted(maps.Keys(plans)), ", "))
	}
	if quick {
		p.rounds = 1
		if p.quickEach != "" {
			p.each = p.quickEach
		}
	} else {
		p.quickArgs = nil
	}
	return p, nil
}

// runs are the argument lists of the runs of the program, which is built in that file.
func (p plan) runs(file string, args []string) (all [][]string, err error) {
	args = append(slices.Clone(p.quickArgs), args...)
	switch {
	case p.each != "":
	case p.listed:
		names, err := exec.Command(file, append([]string{"-list"}, args...)...).Output()
		if err != nil {
			return nil, fmt.Errorf("%s -list: %w", file, err)
		}
		for name := range strings.Lines(string(names)) {
			all = append(all, []string{"^" + regexp.QuoteMeta(strings.TrimSpace(name)) + "$"})
		}
		return all, nil
	default:
		return [][]string{args}, nil
	}
	for _, word := range strings.FieldsFunc(p.each, func(r rune) bool { return r == ' ' || r == ',' }) {
		all = append(all, append(slices.Clone(args), word))
	}
	return all, nil
}
