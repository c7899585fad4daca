package main

import (
	"errors"
	"flag"
	"fmt"

	"loam/internal/driver"
)

var packVerb = &verb{
	name: "pack", usage: "[-o file] [flags] [packages]",
	short: "write what was compiled into one file",
	long: `Pack compiles the packages, by default std, and what they import, and writes all that the cache
has of them into one file: a pack. Builds that have it compile none of that, if loam, the SDK's
version, GOAMD64, clang and flags are the same, wherever the SDK and the module cache are; it is no
use to others, and does no harm.

LOAMPACK names the packs that builds take, and directories of packs (*.pack), with colons between
them; they are read in place. Without it loam takes those in the directory lib/loam beside the one
that it is in; LOAMPACK=off takes none.

The same packages make the same pack, byte for byte. A pack that is damaged is refused.`,
	flags: func(fs *flag.FlagSet) { registerPack(fs, new(buildFlags)) },
	run:   runPack,
}

var unpackVerb = &verb{
	name: "unpack", usage: "[-n] files",
	short: "copy the contents of packs to the cache",
	long: `Unpack copies to the cache what is in packs (see loam help pack), for builds without LOAMPACK.
Nothing is copied from a pack that is damaged, or that was made for something else. -n only says what
the packs are.`,
	flags: func(fs *flag.FlagSet) { registerUnpack(fs, new(bool)) },
	run:   runUnpack,
}

func registerPack(fs *flag.FlagSet, f *buildFlags) {
	f.register(fs)
	fs.StringVar(&f.output, "o", "", "write the pack to `file` (default: named after the SDK's version and GOAMD64)")
	fs.BoolVar(&f.verbose, "v", false, "print the names of packages as they are compiled")
}

func registerUnpack(fs *flag.FlagSet, dryRun *bool) {
	registerDir(fs)
	fs.BoolVar(dryRun, "n", false, "say what the packs are, but copy nothing")
}

func runPack(args []string) error {
	f := new(buildFlags)
	fs := newFlagSet("pack")
	registerPack(fs, f)
	patterns, err := parseBuild(fs, args)
	if err != nil {
		return err
	}
	if f.dryRun {
		return errors.New("cannot use -n flag with pack")
	}
	if len(patterns) == 0 {
		patterns = []string{"std"}
	}
	s, err := newSession(f)
	if err != nil {
		return err
	}
	defer s.close()
	pkgs, named, err := s.packages(&f.coverFlags, patterns)
	if err != nil {
		return err
	}
	if f.pgo == "auto" {
		f.pgo = "off" // what a pack has serves many programs
	}
	plans, err := s.plans(f.pgo, pkgs, named)
	if err != nil {
		return err
	}
	g, ids := plans[0].graph, append(plans[0].ids(), "runtime")
	if err := g.Compile(driver.Wanted{Packages: ids, All: true}); err != nil {
		return err
	}
	if f.output == "" {
		f.output = s.builder.PackName()
	}
	size, err := g.WritePack(f.output, patterns, ids...)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %s\n", f.output, megabytes(size))
	return nil
}

func runUnpack(args []string) error {
	dryRun := false
	fs := newFlagSet("unpack")
	registerUnpack(fs, &dryRun)
	files, err := parse(fs, args)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return usageError("loam unpack: no packs named\nRun 'loam help unpack' for details.")
	}
	s, err := newSession(new(buildFlags))
	if err != nil {
		return err
	}
	defer s.close()
	for _, name := range files {
		p, err := s.builder.Unpack(name, dryRun)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %v for %s, GOAMD64=%s, %d files, %s\n", name, p.Made.Packages, p.Made.Go, p.Made.Level, len(p.Names()), megabytes(p.Size))
	}
	return nil
}

// megabytes is a number of bytes for people.
func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
