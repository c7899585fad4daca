package main

import (
	"fmt"
	"strconv"
	"strings"
)

// toolFlag is a flag that gc's compiler, assembler or linker has and Loam takes. Flags that mean
// nothing here are taken too, since makefiles pass them.
type toolFlag struct {
	kind toolFlagKind
	set  func(value string) error // nil: it means nothing here
}

type toolFlagKind int

const (
	switchFlag toolFlagKind = iota // -name, -name=true; set gets "true" or "false"
	countFlag                      // likewise, or -name=3; set gets a number, "+" for one more
	valueFlag                      // -name=value, -name value
)

// parseToolFlags goes through a tool's flags. refused says why a flag is not taken.
func parseToolFlags(words []string, known map[string]toolFlag, refused func(word, name string) error) error {
	for i := 0; i < len(words); i++ {
		word := words[i]
		name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-"), "=")
		f, ok := known[name]
		if !ok || !strings.HasPrefix(word, "-") {
			return refused(word, name)
		}
		if on, err := strconv.ParseBool(value); f.kind == switchFlag {
			if value = strconv.FormatBool(on || !given); given && err != nil {
				return fmt.Errorf("%s: want a boolean value", word)
			}
		} else if _, isNumber := strconv.Atoi(value); f.kind == countFlag {
			switch {
			case !given || value == "true":
				value = "+"
			case value == "false":
				value = "0"
			case isNumber != nil:
				return fmt.Errorf("%s: want a number", word)
			}
		} else if !given {
			if i++; i == len(words) {
				return fmt.Errorf("flag needs an argument: %s", word)
			}
			value = words[i]
		}
		if f.set == nil {
			continue
		}
		if err := f.set(value); err != nil {
			return err
		}
	}
	return nil
}

func setSwitch(to *bool) func(string) error {
	return func(value string) error { *to = value == "true"; return nil }
}

func setCount(to *int) func(string) error {
	return func(value string) error {
		if n, err := strconv.Atoi(value); err == nil {
			*to = n
		} else {
			*to++
		}
		return nil
	}
}

func setText(to *string) func(string) error {
	return func(value string) error { *to = value; return nil }
}

// only refuses other values of a flag than the one that there is.
func only(name, value, want, why string) error {
	if value != want {
		return fmt.Errorf("%s=%s: %s", name, value, why)
	}
	return nil
}
