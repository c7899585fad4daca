// Package pgotest makes CPU profiles for tests, in the format of runtime/pprof, of stacks that are
// written down as text: so a test says what is hot, and nothing has to run.
package pgotest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

// startLine is where all functions begin.
const startLine = 1000

// Encode makes a profile of text: a line a stack, with the number of samples and the frames, the
// innermost first, as function+line, counted from where it begins. A frame with ^ in front has been
// inlined into the next one.
//
//	980 p.leaf+1 p.mid+2 main.main+3
func Encode(text string) []byte {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}}
	functions := map[string]*profile.Function{}
	for stack := range strings.Lines(text) {
		words := strings.Fields(stack)
		if len(words) == 0 {
			continue
		}
		weight := number(words[0])
		s := &profile.Sample{Value: []int64{weight, weight * 10}}
		var l *profile.Location
		for _, frame := range words[1:] {
			at := strings.LastIndexByte(frame, '+')
			name, inlined := strings.CutPrefix(frame[:at], "^")
			f := functions[name]
			if f == nil {
				f = &profile.Function{ID: uint64(len(functions) + 1), Name: name, StartLine: startLine}
				functions[name] = f
				p.Function = append(p.Function, f)
			}
			if l == nil {
				l = &profile.Location{ID: uint64(len(p.Location) + 1)}
				p.Location = append(p.Location, l)
				s.Location = append(s.Location, l)
			}
			l.Line = append(l.Line, profile.Line{Function: f, Line: startLine + number(frame[at+1:])})
			if !inlined {
				l = nil
			}
		}
		p.Sample = append(p.Sample, s)
	}
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		panic(err)
	}
	return buf.Bytes()
}

func number(word string) int64 {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("pgotest: %v", err))
	}
	return n
}
