package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"loam/internal/answers"
	"loam/internal/driver"
	"loam/internal/load"
	"loam/internal/store"
)

// ownNames are loam's own variables.
var ownNames = []struct{ name, means string }{
	{"LOAMCACHE", "the directory of what is kept between builds"},
	{"LOAMCACHESIZE", "how much it may have of what can be made again: 10GB, or another size, or off"},
	{"LOAMENV", "the file of the settings that env -w makes; off for none"},
	{"LOAMESCAPE", "off: every object on the heap"},
	{"LOAMGOROOT", "the GOROOT that programs are compiled from: the SDK's with Loam's run-time system"},
	{"LOAMMID", "a function to show after each pass of the compiler, in ./mid.html"},
	{"LOAMOPT", "instant or full: how packages are compiled, without -O"},
	{"LOAMPACK", "the packs that builds take files from, and directories of packs; off for none"},
	{"LOAMROOT", "a checkout whose rt/ and overlay/ replace the built-in ones"},
	{"LOAMSDK", "any: try an SDK that is newer than this loam knows"},
	{"LOAMTAGS", "the build tags of all builds"},
	{"LOAM_CLANG", "the clang that is used"},
	{"LOAM_GO", "the go command that is used"},
	{"LOAM_LLD", "the ld.lld that is used"},
}

// inEnvironment says which of the settings the environment had when loam started.
var inEnvironment map[string]bool

// goSetting is the value that the go command would use for one of its variables: from the
// environment, or as `go env -w` has written it.
func goSetting(name string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	data, err := os.ReadFile(answers.SettingsFile())
	if err != nil {
		return ""
	}
	for _, line := range strings.Split(string(data), "\n") {
		if v, ok := strings.CutPrefix(line, name+"="); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// cgoMode is what CGO_ENABLED says, or by default whether there is a C compiler.
func cgoMode() load.CgoMode {
	switch goSetting("CGO_ENABLED") {
	case "1":
		return load.CgoOn
	case "0":
		return load.CgoOff
	}
	words, _ := splitQuoted(cmp.Or(goSetting("CC"), "gcc"))
	if len(words) == 0 {
		return load.CgoOff
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return load.CgoOff
	}
	return load.CgoAsNeeded
}

// checkSettings refuses to work by a setting that has no meaning. A path need not be absolute here.
func checkSettings() error {
	for _, name := range []string{"LOAMCACHESIZE", "LOAMESCAPE", "LOAMOPT", "LOAMSDK"} {
		if err := checkSetting(name, os.Getenv(name)); err != nil {
			return err
		}
	}
	return nil
}

// checkSetting refuses what cannot be kept, or could not be used.
func checkSetting(name, value string) error {
	switch {
	case name == "LOAMENV":
		return errors.New("LOAMENV can only be set using the OS environment")
	case name == "LOAMGOROOT", name == "LOAMTAGS":
		return fmt.Errorf("%s cannot be modified", name)
	case !slices.Contains(load.Settings, name):
		return fmt.Errorf("unknown loam command variable %s", name)
	case strings.ContainsAny(value, "\n\r\x00"):
		return fmt.Errorf("invalid value for %s: a line break or NUL", name)
	case value != "" && (name == "LOAMCACHE" || name == "LOAMROOT") && !filepath.IsAbs(value):
		return fmt.Errorf("%s=%s is not an absolute path", name, value)
	case name == "LOAMOPT" && value != "" && new(optimisation).Set(value) != nil:
		return fmt.Errorf("LOAMOPT=%s: want instant or full", value)
	case name == "LOAMCACHESIZE":
		if _, err := cacheSize(value); err != nil {
			return fmt.Errorf("LOAMCACHESIZE=%s: %v", value, err)
		}
	case name == "LOAMESCAPE" && value != "" && value != "off":
		return fmt.Errorf("LOAMESCAPE=%s: only \"off\" has a meaning", value)
	case name == "LOAMSDK" && value != "" && value != "any":
		return fmt.Errorf("LOAMSDK=%s: only \"any\" has a meaning", value)
	case name == "LOAMPACK" && !absolutePacks(value):
		return fmt.Errorf("%s=%s is not a list of absolute paths", name, value)
	}
	return nil
}

// cacheSize is the number of bytes that a value of LOAMCACHESIZE means; 0: any.
func cacheSize(value string) (int64, error) {
	switch value {
	case "":
		return store.DefaultSize, nil
	case "off":
		return 0, nil
	}
	for i, unit := range []string{"KB", "MB", "GB", "TB"} {
		number, ok := strings.CutSuffix(value, unit)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(number, 64)
		if n *= math.Pow10(3 * (i + 1)); err == nil && n >= 1 && n < 1e18 {
			return int64(n), nil
		}
	}
	return 0, errors.New("want a size such as 500MB or 10GB, or off")
}

// absolutePacks reports whether each pack is named by an absolute path.
func absolutePacks(setting string) bool {
	isRelative := func(name string) bool { return name != "" && !filepath.IsAbs(name) }
	return setting == "off" || !slices.ContainsFunc(filepath.SplitList(setting), isRelative)
}

// packSetting is LOAMPACK, as it is or as loam takes it.
func packSetting() string {
	if setting := os.Getenv("LOAMPACK"); setting != "" {
		return setting
	}
	return ownPacks()
}

// ownPacks is the directory of the packs that came with loam, "" if there is none.
func ownPacks() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	dir := filepath.Join(filepath.Dir(filepath.Dir(self)), "lib", "loam")
	if names, _ := filepath.Glob(filepath.Join(dir, "*.pack")); len(names) == 0 {
		return ""
	}
	return dir
}

// packPlaces are the packs that builds take: those that LOAMPACK names, or those that came with
// loam.
func packPlaces() (list []driver.PackPlace) {
	switch setting := os.Getenv("LOAMPACK"); setting {
	case "off":
	case "":
		if dir := ownPacks(); dir != "" {
			list = []driver.PackPlace{{Name: dir}}
		}
	default:
		for _, name := range filepath.SplitList(setting) {
			if name != "" {
				list = append(list, driver.PackPlace{Name: name, Asked: true})
			}
		}
	}
	return list
}
