package load

import (
	"bytes"
	"errors"
	"fmt"
	"go/build"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"loam/internal/child"
)

// Releases are the releases of Go whose SDKs Loam knows, the oldest first: those that the Go team
// supports.
var Releases = []string{"go1.26", "go1.27"}

// An SDK is an installed Go distribution: the standard library that is compiled, and the go command
// that goes with it.
type SDK struct {
	Command string // the go command that was found and asked
	Go      string // the SDK's own go command
	GOROOT  string
	Version string // such as "go1.27.3"

	ModCache string // GOMODCACHE: where downloaded modules are, "" if nowhere

	Mod   string // GOMOD: the go.mod that counts, os.DevNull if none does, "" in GOPATH mode
	Work  string // GOWORK: the go.work that counts, "" if none does
	Flags string // GOFLAGS

	Experiments string // GOEXPERIMENT, as the go command understands it
	Differences string // what its compiler makes of that: what differs from the release's defaults
}

// Release is the release of Go that the SDK is of, such as "go1.27".
func (s *SDK) Release() string { return ReleaseOf(s.Version) }

// Experiment reports whether GOEXPERIMENT switches on what is off by default.
func (s *SDK) Experiment(name string) bool {
	on := false
	for word := range strings.SplitSeq(s.Experiments, ",") {
		switch word {
		case name:
			on = true
		case "no" + name, "none":
			on = false
		}
	}
	return on
}

// FindSDK returns the SDK that the go command itself would take in the directory dir ("" is the
// current one): the go command is LOAM_GO or the one on PATH, and it follows GOTOOLCHAIN and the go
// and toolchain lines of go.work or go.mod. An SDK of a release that Loam does not know is an
// error, unless it is newer and LOAMSDK is "any".
func FindSDK(dir string) (*SDK, error) {
	s, err := AskForSDK(dir)
	if err != nil {
		return nil, err
	}
	return s, s.Check()
}

// Check is an error if the SDK is one that Loam does not serve.
func (s *SDK) Check() error { return s.check(os.Getenv("LOAMSDK"), typesRelease()) }

// AskForSDK asks the go command which SDK it takes in dir.
func AskForSDK(dir string) (*SDK, error) {
	s := new(SDK)
	var err error
	if s.Command, err = GoCommand(); err != nil {
		return nil, err
	}
	cmd := exec.Command(s.Command, "env", "GOROOT", "GOVERSION", "GOEXPERIMENT", "GOMODCACHE", "GOMOD", "GOWORK", "GOFLAGS")
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &newsFilter{rest: &stderr}
	out, err := child.Output(cmd)
	lines := strings.Split(string(out), "\n")
	switch {
	case err != nil && strings.HasPrefix(stderr.String(), "go: "):
		// the SDK that go.mod asks for cannot be had
		return nil, &ListError{strings.TrimRight(stderr.String(), "\n")}
	case err != nil:
		return nil, fmt.Errorf("%s is no go command that works: %v", s.Command, err)
	case len(lines) < 3 || ReleaseOf(lines[1]) == "":
		return nil, fmt.Errorf("%s is no go command that works: it does not know its version", s.Command)
	}
	s.GOROOT, s.Version, s.Experiments = lines[0], lines[1], lines[2]
	for i, value := range []*string{&s.ModCache, &s.Mod, &s.Work, &s.Flags} {
		if 3+i < len(lines) {
			*value = lines[3+i]
		}
	}
	if s.Work == "off" {
		s.Work = ""
	}
	if _, err := os.Stat(filepath.Join(s.GOROOT, "src", "runtime")); err != nil {
		return nil, fmt.Errorf("%s has no sources of the standard library: %v", s.GOROOT, err)
	}
	s.Go = filepath.Join(s.GOROOT, "bin", "go")
	if _, err := os.Stat(s.Go); err != nil {
		s.Go = s.Command
	}
	if s.Experiments != "" {
		if s.Differences, err = s.differences(dir); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// differences asks the SDK's compiler, which prints its version and then the experiments that are
// not as they are by default.
func (s *SDK) differences(dir string) (string, error) {
	cmd := exec.Command(s.Go, "tool", "compile", "-V")
	cmd.Dir = dir
	out, err := child.Output(cmd)
	if err != nil {
		return "", fmt.Errorf("GOEXPERIMENT=%s: the compiler of %s does not know it: %v", s.Experiments, s.Version, err)
	}
	_, names, _ := strings.Cut(strings.TrimSpace(string(out)), " X:")
	return names, nil
}

// FullVersion is what a program calls its version of Go: that of the SDK, and how its experiments
// differ from the defaults.
func (s *SDK) FullVersion() string {
	if s.Differences == "" {
		return s.Version
	}
	return s.Version + "-X:" + s.Differences
}

// GoCommand finds the go command: LOAM_GO, or the one on PATH, or the one at the usual place.
func GoCommand() (string, error) {
	if command := os.Getenv("LOAM_GO"); command != "" {
		return command, nil
	}
	if command, err := exec.LookPath("go"); err == nil {
		return command, nil
	}
	const usual = "/usr/local/go/bin/go"
	if _, err := os.Stat(usual); err == nil {
		return usual, nil
	}
	return "", errors.New("no go command found: install Go " + knownReleases() + " or put it on PATH")
}

// check tells why s cannot be served: wanted is the value of LOAMSDK, types the release of the
// go/types that Loam is built with.
func (s *SDK) check(wanted, types string) error {
	if wanted != "" && wanted != "any" {
		return fmt.Errorf("LOAMSDK=%s: only \"any\" has a meaning", wanted)
	}
	oldest, newest := Releases[0], Releases[len(Releases)-1]
	switch r := s.Release(); {
	case version.Compare(r, oldest) < 0:
		return fmt.Errorf("this loam serves Go %s, and %s is %s", knownReleases(), s.GOROOT, s.Version)
	case version.Compare(r, newest) > 0 && wanted != "any":
		return fmt.Errorf("this loam serves Go %s, and %s is %s, which is newer (LOAMSDK=any tries it)", knownReleases(), s.GOROOT, s.Version)
	case version.Compare(r, types) > 0:
		return fmt.Errorf("this loam is built with %s, whose type checker does not know the language of %s (%s): build loam with Go %s",
			types, s.Version, s.GOROOT, strings.TrimPrefix(r, "go"))
	case s.Experiment("cgocheck2"):
		return errors.New("GOEXPERIMENT=cgocheck2: loam does not check pointers when they are stored in C's memory, only in calls (GODEBUG=cgocheck)")
	}
	return nil
}

// typesRelease is the release of Go that the type checker in this program is of.
func typesRelease() string {
	tags := build.Default.ReleaseTags
	return tags[len(tags)-1]
}

// knownReleases lists the releases that Loam knows for messages: "1.26 and 1.27".
func knownReleases() string {
	return strings.ReplaceAll(strings.Join(Releases, " and "), "go", "")
}

var releasePattern = regexp.MustCompile(`^(?:devel )?(go1\.[0-9]+)(?:[^0-9].*)?$`)

// ReleaseOf is the release of Go that an SDK's version belongs to, "" if v is no such version.
func ReleaseOf(v string) string {
	if m := releasePattern.FindStringSubmatch(v); m != nil {
		return m[1]
	}
	return ""
}
