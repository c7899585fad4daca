package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"loam/internal/top"
)

var topVerb = &verb{
	name: "top", usage: "[flags] PID | URL",
	short: "show what the goroutines of a running program use",
	long: `Top shows again and again what the goroutines of a running program use: time on a processor,
in system calls and runnable, turns, and memory that they allocate. The program is made by Loam
and serves net/http/pprof. It is named by

	PID   its number: the addresses at which it listens are tried
	URL   its address (http://localhost:6060)

Shares are of one processor. While top looks, and a minute longer, the program counts, which
makes each switch of goroutines some tenths of a microsecond slower.`,
	flags: func(fs *flag.FlagSet) { registerTop(fs, new(topFlags)) },
	run:   runTop,
}

type topFlags struct {
	by    string
	order string
	rows  int
	delay time.Duration
	count int
}

// tops are what rows of a table can stand for.
var tops = map[string]top.By{"statement": top.Statement, "goroutine": top.Goroutine, "label": top.Label}

func registerTop(fs *flag.FlagSet, f *topFlags) {
	fs.StringVar(&f.by, "by", "statement", "what a row stands for, one `kind` of goroutine, statement (the go statement), label")
	fs.StringVar(&f.order, "sort", "run", "sort by this `column`: run, wait, calls, turns, bytes")
	fs.IntVar(&f.rows, "rows", 20, "show at most `n` rows")
	fs.DurationVar(&f.delay, "delay", time.Second, "show what was used in this `time`, each time")
	fs.IntVar(&f.count, "count", 0, "end after `n` tables; 0 goes on until it is interrupted")
}

func runTop(args []string) error {
	var f topFlags
	fs := newFlagSet("top")
	registerTop(fs, &f)
	rest, err := parse(fs, args)
	if err != nil {
		return err
	}
	by, known := tops[f.by]
	switch {
	case len(rest) != 1:
		return usageError("loam: top: name a program by its process's number or its address")
	case !known:
		return usageError(fmt.Sprintf("loam: top: -by=%s: none of goroutine, statement, label", f.by))
	case !slices.Contains(top.Orders, f.order):
		return usageError(fmt.Sprintf("loam: top: -sort=%s: none of %s", f.order, strings.Join(top.Orders, ", ")))
	case f.rows < 1 || f.delay <= 0 || f.count < 0:
		return usageError("loam: top: -rows and -delay have to be above 0, and -count not below")
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	address, err := topAddress(ctx, rest[0])
	if err != nil {
		return err
	}
	return showTop(ctx, address, by, &f)
}

// showTop prints tables until ctx ends.
func showTop(ctx context.Context, address string, by top.By, f *topFlags) error {
	before, err := readTop(ctx, address)
	if err != nil {
		return err
	}
	began := time.Now()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(f.delay):
		}
		after, err := readTop(ctx, address)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		ended := time.Now()
		rows := top.Between(before, after, by)
		top.Sort(rows, f.order)
		var text strings.Builder
		if isTerminal(os.Stdout) {
			text.WriteString("\x1b[H\x1b[2J")
		} else if n > 1 {
			text.WriteString("\n")
		}
		top.Print(&text, rows, by, ended.Sub(began), f.rows)
		if _, err := os.Stdout.WriteString(text.String()); err != nil {
			return err
		}
		if n == f.count {
			return nil
		}
		before, began = after, ended
	}
}

// topAddress returns where the profile of a program is.
func topAddress(ctx context.Context, program string) (string, error) {
	pid, err := strconv.Atoi(program)
	if err != nil {
		return topURL(program)
	}
	addresses, err := top.Addresses(pid)
	if err != nil {
		return "", err
	}
	var first error
	for _, a := range addresses {
		address, err := topURL("http://" + a)
		if err != nil {
			return "", err
		}
		if _, err = readTop(ctx, address); err == nil {
			return address, nil
		}
		if first == nil {
			first = err
		}
	}
	if first != nil {
		return "", fmt.Errorf("process %d serves the profile usage nowhere: %w", pid, first)
	}
	return "", fmt.Errorf("process %d listens nowhere: a program that is to be watched serves net/http/pprof", pid)
}

func topURL(s string) (string, error) {
	u, err := url.Parse(s)
	if err != nil {
		return "", err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", fmt.Errorf("%s: neither the number of a process nor an address that begins with http:// or https://", s)
	}
	switch path := strings.TrimSuffix(u.Path, "/"); path {
	case "", "/debug", "/debug/pprof":
		u.Path = "/debug/pprof/usage"
	}
	query := u.Query()
	query.Set("debug", "1")
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// topWaits is how long a program may take to answer.
const topWaits = 30 * time.Second

func readTop(ctx context.Context, address string) (*top.Reading, error) {
	ctx, cancel := context.WithTimeout(ctx, topWaits)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "GET", address, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 500))
		return nil, fmt.Errorf("%s: %s: %s", address, response.Status, strings.TrimSpace(string(text)))
	}
	reading, err := top.Read(response.Body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	return reading, nil
}
