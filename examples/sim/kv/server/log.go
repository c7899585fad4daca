package main

import (
	"fmt"
	"hash/crc32"
	"os"
	"strings"
)

// logFile is the log of a store. It appends lines.
type logFile interface {
	append(line string) error
}

// unsynced is a log that leaves it to the system when its lines come to the disk: the bug. What a
// node says that it has stored is gone if it loses its power.
type unsynced struct{ f *os.File }

func (l *unsynced) append(line string) error {
	_, err := fmt.Fprintf(l.f, "%08x %s\n", crc32.ChecksumIEEE([]byte(line)), line)
	return err
}

func openStore(name string) (*store, error) {
	s, f, err := read(name)
	if err == nil {
		s.log = &unsynced{f}
	}
	return s, err
}

// read reads a store from its log. A crash may have torn the last lines; they are cut off.
func read(name string) (*store, *os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	s := &store{values: map[string]entry{}}
	good := 0
	for line := range strings.Lines(string(text)) {
		var sum uint32
		var key string
		var e entry
		record, whole := strings.CutSuffix(line, "\n")
		if len(record) > 9 {
			fmt.Sscanf(record[:8], "%x", &sum)
		}
		if !whole || len(record) < 9 || sum != crc32.ChecksumIEEE([]byte(record[9:])) {
			break
		}
		if _, err := fmt.Sscan(record[9:], &key, &e.version, &e.value); err != nil {
			break
		}
		s.values[key] = e
		good += len(line)
	}
	if err := f.Truncate(int64(good)); err != nil {
		return nil, nil, err
	}
	_, err = f.Seek(int64(good), 0)
	return s, f, err
}
