package suite

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// A Place is a cell of a table of programs: a row's name and a column's.
type Place struct{ Row, Column string }

func (p Place) String() string { return p.Row + ": " + p.Column }

// ReadPlaces reads the places that a list names. Its lines are "row; row: column, column": each
// of the rows with each of the columns. A line that begins with a release of Go is about SDKs of
// that release only.
func ReadPlaces(name, release string) (map[Place]bool, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	places := map[Place]bool{}
	for line := range strings.Lines(string(text)) {
		fields := Fields(line, release)
		if fields == nil {
			continue
		}
		rows, columns, ok := strings.Cut(strings.Join(fields, " "), ": ")
		if !ok {
			return nil, fmt.Errorf("%s: %q is no line of rows: columns", name, line)
		}
		for _, row := range strings.Split(rows, "; ") {
			for _, column := range strings.Split(columns, ", ") {
				places[Place{row, column}] = true
			}
		}
	}
	return places, nil
}

// FormatPlaces makes lines of a list of places, sorted by row. Rows with the same columns share
// lines.
func FormatPlaces(places []Place) string {
	columns := map[string][]string{}
	for _, p := range places {
		columns[p.Row] = append(columns[p.Row], p.Column)
	}
	var b strings.Builder
	done := map[string]bool{}
	for _, row := range slices.Sorted(maps.Keys(columns)) {
		if done[row] {
			continue
		}
		var rows []string
		for _, other := range slices.Sorted(maps.Keys(columns)) {
			if slices.Equal(columns[row], columns[other]) {
				done[other] = true
				rows = append(rows, other)
			}
		}
		for _, r := range fold(rows, "; ") {
			for _, c := range fold(columns[row], ", ") {
				fmt.Fprintf(&b, "%s: %s\n", r, c)
			}
		}
	}
	return b.String()
}

// fold joins words to lines of limited length.
func fold(words []string, sep string) (lines []string) {
	const longest = 300
	for _, w := range words {
		if n := len(lines); n > 0 && len(lines[n-1])+len(sep)+len(w) <= longest {
			lines[n-1] += sep + w
		} else {
			lines = append(lines, w)
		}
	}
	return lines
}
