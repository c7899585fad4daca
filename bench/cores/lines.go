package main

import (
	"debug/elf"
	"fmt"
	"sort"
)

// describe says which lines both windows use and one writes, by the variables that lie in them.
func describe(program string, window, other []step) (list []string) {
	mine, theirs := uses(window), uses(other)
	counts := map[uint64]int{}
	for _, s := range window {
		for _, a := range s.accesses {
			if a.kind != read {
				counts[a.address/lineBytes]++
			}
		}
	}
	var symbols []elf.Symbol
	if file, err := elf.Open(program); err == nil {
		symbols, _ = file.Symbols()
		file.Close()
	}
	for line, u := range mine {
		its, ok := theirs[line]
		if !ok || !u.writes && !its.writes {
			continue
		}
		name := ""
		for _, s := range symbols {
			if elf.ST_TYPE(s.Info) == elf.STT_OBJECT && s.Value < (line+1)*lineBytes && s.Value+s.Size > line*lineBytes {
				name += fmt.Sprintf(" %s+%d", s.Name, int64(line*lineBytes)-int64(s.Value))
			}
		}
		list = append(list, fmt.Sprintf("\t%#x\t%d writes\tthe other writes: %v%s\n", line*lineBytes, counts[line], its.writes, name))
	}
	sort.Strings(list)
	return list
}
