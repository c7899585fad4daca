package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"loam/internal/driver"
	"loam/internal/ending"
	"loam/internal/load"
)

// usageError is a mistake on the command line.
type usageError string

func (e usageError) Error() string { return string(e) }

// plainError is an error that the go command prints without its name in front.
type plainError string

func (e plainError) Error() string { return string(e) }

// A verb is one of loam's subcommands.
type verb struct {
	name  string
	usage string // arguments
	short string
	long  string
	flags func(*flag.FlagSet) // declares the flags, for the help text; nil: there are none
	run   func(args []string) error
}

// verbs are loam's own; main.go has the list.
var verbs []*verb

// ownVerb is loam's verb of that name, nil if there is none.
func ownVerb(name string) *verb {
	for _, v := range verbs {
		if v.name == name {
			return v
		}
	}
	return nil
}

// status reports err as the user should see it and returns the exit code for it.
func status(err error) int {
	var code ending.Code
	var usage usageError
	var plain plainError
	var list *load.ListError
	var diagnostic *load.Diagnostic
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.Is(err, driver.ErrReported):
		return 1
	case errors.As(err, &plain):
		fmt.Fprintln(os.Stderr, plain)
		return 1
	case errors.As(err, &list):
		fmt.Fprintln(os.Stderr, list.Message)
		return 1
	case errors.As(err, &diagnostic):
		fmt.Fprintln(os.Stderr, diagnostic.Text)
		return 1
	case errors.As(err, &usage):
		fmt.Fprintln(os.Stderr, err)
		return 2
	default:
		fmt.Fprintf(os.Stderr, "loam: %v\n", err)
		return 1
	}
}
