package store

import (
	"io/fs"
	"os"
)

// Local is the cache's directory alone, without packs and the program of GOCACHEPROG: for what is
// quickly made of other files there, and is of use only where these are.
type Local struct{ c *Cache }

// Local returns the part of the cache that is in its directory.
func (c *Cache) Local() Local { return Local{c} }

// File returns the path of a file, and marks it as used.
func (l Local) File(key, kind string) (string, error) {
	path := l.c.Path(key, kind)
	if !l.c.use(path) {
		return "", fs.ErrNotExist
	}
	return path, nil
}

// Read returns the content of a file.
func (l Local) Read(key, kind string) ([]byte, error) {
	path, err := l.File(key, kind)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// Write stores data under key.
func (l Local) Write(key, kind string, data []byte) error {
	return l.c.writeLocal(l.c.Path(key, kind), data)
}
