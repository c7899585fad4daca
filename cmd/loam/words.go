package main

import (
	"fmt"
	"strings"
)

// Kinds of words on a command line.
const (
	notFlag  = iota
	noValue  // -name
	hasValue // -name=value
)

// splitFlag takes a word apart as package flag does.
func splitFlag(word string) (name string, kind int) {
	if len(word) < 2 || word[0] != '-' {
		return "", notFlag
	}
	name, _, ok := strings.Cut(strings.TrimPrefix(word[1:], "-"), "=")
	if ok {
		return name, hasValue
	}
	return name, noValue
}

// splitQuoted splits s at white space; single and double quotes keep words together, as in
// the go command's flags.
func splitQuoted(s string) ([]string, error) {
	var words []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if s[0] == '\'' || s[0] == '"' {
			end := strings.IndexByte(s[1:], s[0])
			if end < 0 {
				return nil, fmt.Errorf("unterminated %c string", s[0])
			}
			words = append(words, s[1:1+end])
			s = s[2+end:]
			continue
		}
		end := strings.IndexAny(s, " \t\n\r")
		if end < 0 {
			end = len(s)
		}
		words = append(words, s[:end])
		s = s[end:]
	}
	return words, nil
}

// A wordsFlag is a flag whose value is words, split as splitQuoted does.
type wordsFlag []string

func (w *wordsFlag) Set(value string) (err error) {
	*w, err = splitQuoted(value)
	return err
}

func (w *wordsFlag) String() string { return strings.Join(*w, " ") }
