package loamtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/load"
)

// toolchains are what is fetched of a release that is not installed.
var toolchains = map[string]string{"go1.26": "go1.26.8", "go1.27": "go1.27.3"}

// EachRelease runs f as a subtest for each release, in whose environment the go command is that
// release's and no other. A release that is not installed and cannot be fetched is skipped, but in
// continuous integration, where CI is set, it fails the test.
func EachRelease(t *testing.T, f func(t *testing.T, release string)) {
	for _, release := range load.Releases {
		t.Run(release, func(t *testing.T) {
			UseRelease(t, release)
			f(t, release)
		})
	}
}

// UseRelease makes the go command one of the given release for the rest of the test.
func UseRelease(t *testing.T, release string) {
	t.Helper()
	goroot := findRelease(release)
	if goroot == "" {
		message := "no SDK of " + release + ": it is not on PATH, and " + toolchains[release] + " cannot be fetched from the module proxy"
		if os.Getenv("CI") != "" {
			t.Fatal(message)
		}
		t.Skip(message)
	}
	t.Setenv("GOTOOLCHAIN", "local")
	t.Setenv("GOROOT", "")
	os.Unsetenv("GOROOT")
	t.Setenv("LOAM_GO", "")
	t.Setenv("PATH", filepath.Join(goroot, "bin")+":"+os.Getenv("PATH"))
}

// Builder is the go command that loam is to be built with so that it serves all releases: the
// newest one's, or else the one on PATH.
func Builder() string {
	if goroot := findRelease(load.Releases[len(load.Releases)-1]); goroot != "" {
		return filepath.Join(goroot, "bin", "go")
	}
	return "go"
}

// findRelease returns the GOROOT of an SDK of the release, "" if there is none.
func findRelease(release string) string {
	for _, dir := range append(filepath.SplitList(os.Getenv("PATH")), "/usr/local/go/bin") {
		if goroot, version := askGo(filepath.Join(dir, "go"), "local"); load.ReleaseOf(version) == release {
			return goroot
		}
	}
	goroot, _ := askGo("go", toolchains[release])
	return goroot
}

// askGo returns what a go command says of itself when it is asked for a toolchain.
func askGo(command, toolchain string) (goroot, version string) {
	if _, err := exec.LookPath(command); err != nil {
		return "", ""
	}
	cmd := exec.Command(command, "env", "GOROOT", "GOVERSION")
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+toolchain, "GOROOT=")
	out, err := cmd.Output()
	goroot, version, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil {
		return "", ""
	}
	return goroot, version
}
