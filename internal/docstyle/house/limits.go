package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// limitsFile has a line a package that exceeds a goal: the folder, the files of its biggest circle,
// and the most fields and methods of a type. Each number is what is counted, or the goal.
const limitsFile = "internal/docstyle/house/limits.txt"

// A limit is what a package may have.
type limit struct{ circle, fields, methods int }

// goal is the limit of packages that have no line.
var goal = limit{mostFiles, mostFields, mostMethods}

func (l limit) String() string { return fmt.Sprintf("%d %d %d", l.circle, l.fields, l.methods) }

// limit is the least one that the package keeps.
func (c counts) limit() limit {
	return limit{max(c.circle, goal.circle), max(c.fields, goal.fields), max(c.methods, goal.methods)}
}

// readLimits returns the limits by folder, and the comment at the begin of the file.
func readLimits(name string) (limits map[string]limit, comment string, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, "", err
	}
	limits = map[string]limit{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			comment += line
			continue
		}
		var folder string
		var l limit
		if _, err := fmt.Sscan(line, &folder, &l.circle, &l.fields, &l.methods); err != nil {
			return nil, "", fmt.Errorf("%s: %q: %v", name, line, err)
		}
		limits[folder] = l
	}
	return limits, comment, nil
}

// compare says where the packages are not as the limits say.
func compare(limits map[string]limit, list []counts) (faults []string) {
	there := map[string]bool{}
	for _, c := range list {
		there[c.folder] = true
		is, may := c.limit(), goal
		if l, ok := limits[c.folder]; ok {
			may = l
		}
		switch {
		case is.circle > may.circle || is.fields > may.fields || is.methods > may.methods:
			faults = append(faults, fmt.Sprintf("%v: the limits are %v", c, may))
		case is != may || is == goal && limits[c.folder] == goal:
			faults = append(faults, fmt.Sprintf("%v: lower the limits, which are %v (-write)", c, may))
		}
	}
	for folder := range limits {
		if !there[folder] {
			faults = append(faults, folder+": there is no such package (-write)")
		}
	}
	slices.Sort(faults)
	return faults
}

// lowerLimits writes the limits that are lower now.
func lowerLimits(name string, list []counts) error {
	limits, comment, err := readLimits(name)
	if err != nil {
		return err
	}
	text := comment
	for _, c := range list {
		is, l := c.limit(), limits[c.folder]
		if l = (limit{min(l.circle, is.circle), min(l.fields, is.fields), min(l.methods, is.methods)}); l != (limit{}) && l != goal {
			text += fmt.Sprintf("%s %v\n", c.folder, l)
		}
	}
	return os.WriteFile(name, []byte(text), 0o666)
}
