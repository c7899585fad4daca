package main

import (
	"os"
	"path/filepath"
)

// synced is a log whose lines are on the disk when append returns.
type synced struct{ unsynced }

func (l *synced) append(line string) error {
	if err := l.unsynced.append(line); err != nil {
		return err
	}
	return l.f.Sync()
}

// openSynced also makes the name of the file durable: that is the directory's affair.
func openSynced(name string) (*store, error) {
	s, f, err := read(name)
	if err != nil {
		return nil, err
	}
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil {
		return nil, err
	}
	if err := f.Sync(); err != nil {
		return nil, err
	}
	s.log = &synced{unsynced{f}}
	return s, nil
}
