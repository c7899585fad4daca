package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/md5"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// modeOf is the mode of a file as users get it, whatever the umask was: programs can be run,
// directories entered.
func modeOf(rel string, dir bool) fs.FileMode {
	if dir || strings.HasPrefix(filepath.ToSlash(rel), "bin/") || strings.HasPrefix(filepath.ToSlash(rel), "usr/bin/") {
		return 0o755
	}
	return 0o644
}

// writeArchive writes the files below dir, in order, as a compressed tar file in which they are
// below top.
func writeArchive(name, dir, top string, at time.Time) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
	}()
	packed := gzip.NewWriter(f)
	archive := tar.NewWriter(packed)
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error { // in order
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		head := &tar.Header{Name: top + "/" + filepath.ToSlash(rel), ModTime: at, Mode: int64(modeOf(rel, e.IsDir())),
			Typeflag: tar.TypeReg, Uname: "root", Gname: "root", Format: tar.FormatUSTAR}
		if e.IsDir() {
			head.Name, head.Typeflag = strings.TrimSuffix(head.Name, "/.")+"/", tar.TypeDir
			return archive.WriteHeader(head)
		}
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		st, err := in.Stat()
		if err != nil {
			return err
		}
		head.Size = st.Size()
		if err := archive.WriteHeader(head); err != nil {
			return err
		}
		_, err = io.Copy(archive, in)
		return err
	})
	if err != nil {
		return err
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return packed.Close()
}

// controlText describes the package to Debian's tools.
const controlText = `Package: loam
Version: %s
Architecture: amd64
Maintainer: The Loam Authors <loam@localhost>
Installed-Size: %d
Depends: clang-19, lld-19
Recommends: golang-go (>= 2:1.26)
Section: devel
Priority: optional
Description: independent implementation of Go
 Loam compiles unmodified Go programs through LLVM and runs them on its own
 run-time system. It takes the standard library of a Go SDK, 1.26 or 1.27, which
 has to be installed, from Debian's packages or from https://go.dev/dl.
 .
 This package has what was compiled of the standard library for one version of
 the SDK, so that the first build of a program does not compile it.
`

// debian makes the Debian package of the stage.
func (r *release) debian(name string) error {
	root, err := os.MkdirTemp(r.out, "deb-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	usr := filepath.Join(root, "usr")
	if err := os.Rename(r.stage, usr); err != nil {
		return err
	}
	size, sums, err := measure(root, usr)
	if err != nil {
		return err
	}
	control := filepath.Join(root, "DEBIAN")
	if err := os.Mkdir(control, 0o755); err != nil {
		return err
	}
	for file, text := range map[string]string{"control": fmt.Sprintf(controlText, r.version, (size+1023)/1024), "md5sums": sums} {
		if err := os.WriteFile(filepath.Join(control, file), []byte(text), 0o644); err != nil {
			return err
		}
	}
	// dpkg-deb takes modes and times as they are, and cuts times that are later than
	// SOURCE_DATE_EPOCH.
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if err := os.Chmod(path, modeOf(rel, e.IsDir())); err != nil {
			return err
		}
		return os.Chtimes(path, r.at, r.at)
	})
	if err != nil {
		return err
	}
	return r.run([]string{fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.at.Unix())},
		"dpkg-deb", "--root-owner-group", "--threads-max=1", "-Z"+r.compression, "--build", root, name)
}

// measure returns the size of all files below dir, and their sums with names relative to root.
func measure(root, dir string) (size int64, sums string, err error) {
	var list strings.Builder
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		h := md5.New()
		n, err := io.Copy(h, f)
		size += n
		fmt.Fprintf(&list, "%x  %s\n", h.Sum(nil), rel)
		return err
	})
	return size, list.String(), err
}
