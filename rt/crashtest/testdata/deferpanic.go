package main

import (
	"errors"
	"fmt"
)

func main() {
	defer func() { panic(fmt.Errorf("wrap: %w", errors.New("in"))) }()
	var e error
	_ = e.Error()
}
