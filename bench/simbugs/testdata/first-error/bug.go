// Blocking, channel: the first error is returned, and the others who have one can never send it.
package main

import (
	"errors"
	"time"
)

func all(jobs ...func() error) error {
	errs := make(chan error)
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
