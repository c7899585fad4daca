package main

import (
	"encoding/json"
	"io"
	"strings"
)

// buildEvents prints what the compiler has to say about a package as JSON events, as go build
// -json does.
func buildEvents(w io.Writer, id, text string) {
	type event struct{ ImportPath, Action, Output string }
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		printEvent(w, event{id, "build-output", line})
	}
	printEvent(w, struct{ ImportPath, Action string }{id, "build-fail"})
}

func printEvent(w io.Writer, e any) {
	data, err := json.Marshal(e)
	if err != nil {
		panic(err) // strings only
	}
	w.Write(append(data, '\n'))
}
