package link

import (
	"os"
	"slices"

	"loam/internal/bundle"
	"loam/internal/reach"
	"loam/internal/store"
)

// A program that is linked again of the same objects but for its main package's is linked of a
// bundle of these (internal/bundle), and is the same. The bundle is made the second time, because
// most programs are linked once. Which one is kept depends on what its maker needed, so its name is
// a guess, as that of what a package reads: it is used by programs that need nothing else.

// bundleKind is the kind of files that say which bundle there is of some objects: its key and the
// names that were left out. An empty one says that these objects were linked, one of a single byte
// that they cannot be bundled.
const bundleKind = "bundle"

// startupObjects is how many objects come before those of a bundle: the startup object.
const startupObjects = 1

// bundledObjects are the keys of the objects that a bundle may take the place of, none if it may
// not.
func (l *Linker) bundledObjects(p *Program, keys []string) []string {
	behind := len(keys) - len(p.Main.Objects)
	mainIsLast := p.Packages[len(p.Packages)-1] == p.Main
	if p.hasC() || l.DryRun || l.Work != "" || !mainIsLast || behind-startupObjects < leastBundled || l.Cache.Writable() != nil {
		return nil
	}
	return keys[startupObjects:behind]
}

// bundled returns the files that stand for those of objects, which keys name in their order, and
// whether they are others.
func (l *Linker) bundled(p *Program, keys, files []string, outlines [][]byte) ([]string, bool) {
	objects := l.bundledObjects(p, keys)
	if objects == nil || outlines == nil {
		return files, false
	}
	behind := startupObjects + len(objects)
	key := l.bundleKey(objects)
	said, err := l.Cache.Local().Read(key, bundleKind)
	if err != nil {
		l.Cache.Local().Write(key, bundleKind, nil) // without it, the next link is the first
		return files, false
	}
	if len(said) == len(noBundle) {
		return files, false
	}
	names, err := l.names(p, slices.Concat(files[:startupObjects], files[behind:]))
	if err != nil {
		return files, false
	}
	file := ""
	if len(said) > len(key) {
		object, left := string(said[:len(key)]), said[len(key):]
		if !slices.ContainsFunc(names, func(name string) bool { return bundle.Lacks(left, name) }) {
			file, _ = l.Cache.Local().File(object, "o")
		}
	}
	if file == "" {
		if file, err = l.makeBundle(key, names, files[startupObjects:behind]); err == nil {
			err = l.keepOutlines(objects, outlines[startupObjects:behind])
		}
		if err != nil {
			l.Cache.Local().Write(key, bundleKind, []byte(noBundle))
			return files, false
		}
	}
	return slices.Concat(files[:startupObjects], []string{file}, files[behind:]), true
}

// leastBundled is of how many objects a bundle is worth while.
const leastBundled = 16

const noBundle = "-"

func (l *Linker) bundleKey(objects []string) string {
	h := store.NewHasher("bundle")
	h.Add("compiler", l.CompilerID)
	for _, name := range l.unwanted() {
		h.Add("without", name)
	}
	for _, key := range objects {
		h.Add("object", key)
	}
	return h.Sum()
}

// unwanted are the sections of debug information that the linker discards, if outlines replace them
// and the program has none.
func (l *Linker) unwanted() []string {
	if l.DropDebug {
		return discarded
	}
	return nil
}

// names are those that a program refers to besides the objects of a bundle.
func (l *Linker) names(p *Program, files []string) ([]string, error) {
	names := slices.Clone(flagNames)
	for _, m := range p.Methods {
		names = append(names, m, reach.Function(m))
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list, err := bundle.Names(data)
		if err != nil {
			return nil, err
		}
		names = append(names, list...)
	}
	return names, nil
}

// makeBundle makes a bundle of objects, notes it under the key, and returns its file.
func (l *Linker) makeBundle(key string, names, files []string) (file string, err error) {
	objects := make([][]byte, len(files))
	for i, name := range files {
		if objects[i], err = os.ReadFile(name); err != nil {
			return "", err
		}
	}
	drop := map[string]bool{}
	for _, name := range l.unwanted() {
		drop[name] = true
	}
	data, left, err := bundle.Make(objects, names, drop)
	if err != nil {
		return "", err
	}
	h := store.NewHasher("bundled object")
	h.Add("object", string(data))
	object := h.Sum()
	if err := l.Cache.Local().Write(object, "o", data); err != nil {
		return "", err
	}
	if err := l.Cache.Local().Write(key, bundleKind, append([]byte(object), left...)); err != nil {
		return "", err
	}
	return l.Cache.Local().File(object, "o")
}
