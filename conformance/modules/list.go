package main

import (
	"fmt"
	"os"
	"strings"
)

// module is an entry of the list.
type module struct {
	path, version string
	packages      []string // patterns; ./... if there are none
	flags         []string // further flags of test
	known         []known
}

// known is a test that Loam is known to fail; flaky ones may also pass.
type known struct {
	pkg, test, reason string
	flaky             bool
}

func (m *module) isKnown(f failure) bool {
	for _, k := range m.known {
		if k.pkg == f.pkg && k.test == f.test {
			return true
		}
	}
	return false
}

// readList reads the list of modules. A module is a line with path and version; indented lines
// below it say more:
//
//	packages PATTERN...           what to test instead of ./...
//	flags FLAG...                 further flags of test
//	known PACKAGE TEST REASON...  a failure that Loam has and gc does not
//	flaky PACKAGE TEST REASON...  the same, but not always
func readList(name string) ([]*module, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var list []*module
	for i, line := range strings.Split(string(data), "\n") {
		f := strings.Fields(line)
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		switch {
		case len(f) == 0 || strings.HasPrefix(f[0], "#"):
		case !indented && len(f) == 2:
			list = append(list, &module{path: f[0], version: f[1]})
		case indented && len(list) > 0 && f[0] == "packages":
			list[len(list)-1].packages = f[1:]
		case indented && len(list) > 0 && f[0] == "flags":
			list[len(list)-1].flags = f[1:]
		case indented && len(list) > 0 && len(f) > 3 && (f[0] == "known" || f[0] == "flaky"):
			m := list[len(list)-1]
			m.known = append(m.known, known{f[1], f[2], strings.Join(f[3:], " "), f[0] == "flaky"})
		default:
			return nil, fmt.Errorf("%s:%d: not understood: %s", name, i+1, line)
		}
	}
	for _, m := range list {
		if m.packages == nil {
			m.packages = []string{"./..."}
		}
	}
	return list, nil
}
