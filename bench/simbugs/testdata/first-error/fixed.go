// Blocking, channel: there is room for all.
package main

import (
	"errors"
	"time"
)

func all(jobs ...func() error) error {
	errs := make(chan error, len(jobs))
	for _, job := range jobs {
		go func() { errs <- job() }()
	}
	for range jobs {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

func main() {
	ok := func() error { return nil }
	all(ok, func() error { return errors.New("no") }, ok)
	time.Sleep(time.Millisecond)
}
