package main

import (
	"errors"
	"fmt"
	"strconv"

	"loam/internal/driver"
)

// parallelFlag is -p, 0 without.
type parallelFlag struct {
	n     int
	given bool
}

func (p *parallelFlag) set(value string) (err error) {
	p.given = true
	if p.n, err = strconv.Atoi(value); err != nil {
		return errors.New("parse error")
	}
	return nil
}

// check refuses what is no number of packages.
func (p parallelFlag) check() error {
	if p.given && p.n <= 0 {
		return fmt.Errorf("-p must be a positive integer: %d", p.n)
	}
	return nil
}

// vcsFlag is -buildvcs: auto, true or false.
type vcsFlag string

func (v *vcsFlag) IsBoolFlag() bool { return true }

func (v *vcsFlag) Set(value string) error {
	if value != "auto" {
		b, err := strconv.ParseBool(value)
		if err != nil {
			return errors.New("value is neither 'auto' nor a valid bool")
		}
		value = strconv.FormatBool(b)
	}
	*v = vcsFlag(value)
	return nil
}

func (v *vcsFlag) String() string { return string(*v) }

// optimisation is -O, "" for the verb's own choice.
type optimisation driver.Tier

func (o *optimisation) Set(value string) error {
	if t := driver.Tier(value); t != driver.FullTier && t != driver.InstantTier {
		return errors.New("want instant or full")
	}
	*o = optimisation(value)
	return nil
}

func (o *optimisation) String() string { return string(*o) }

// coverModeFlag is -covermode.
type coverModeFlag string

func (m *coverModeFlag) Set(value string) error {
	switch value {
	case "", "set", "count", "atomic":
		*m = coverModeFlag(value)
		return nil
	}
	return errors.New(`valid modes are "set", "count", or "atomic"`)
}

func (m *coverModeFlag) String() string { return string(*m) }
