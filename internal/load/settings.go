package load

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Settings are the variables that `loam env -w` keeps: what the environment does not set comes from
// the file, as with GOENV.
var Settings = []string{"LOAMCACHE", "LOAMCACHESIZE", "LOAMESCAPE", "LOAMOPT", "LOAMPACK", "LOAMROOT", "LOAMSDK",
	"LOAM_CLANG", "LOAM_GO", "LOAM_LLD"}

// SettingsFile is the file of the settings, "" if there is none: LOAMENV names another one, and
// "off" none.
func SettingsFile() (string, error) {
	switch file := os.Getenv("LOAMENV"); {
	case file == "off":
		return "", nil
	case file != "":
		return file, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "loam", "env"), nil
}

// ApplySettings enters into the environment what the file says and the environment does not. It
// returns the names of those that were set before.
func ApplySettings() (own map[string]bool) {
	own = map[string]bool{}
	for _, name := range Settings {
		own[name] = os.Getenv(name) != ""
	}
	lines, _ := readSettings()
	for _, line := range lines {
		name, value, ok := strings.Cut(line, "=")
		if ok && slices.Contains(Settings, name) && !own[name] {
			os.Setenv(name, value)
		}
	}
	return own
}

// readSettings returns the lines of the file.
func readSettings() ([]string, error) {
	file, err := SettingsFile()
	if file == "" {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), nil
}

// WriteSettings changes the file: values by name, nil for those that go. Its other lines stay.
func WriteSettings(values map[string]*string) error {
	file, err := SettingsFile()
	if err != nil {
		return err
	}
	if file == "" {
		return errors.New("LOAMENV=off: there is no file to write settings to")
	}
	lines, err := readSettings()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	lines = slices.DeleteFunc(lines, func(line string) bool {
		name, _, _ := strings.Cut(line, "=")
		_, changed := values[name]
		return changed
	})
	for _, name := range Settings {
		if v := values[name]; v != nil {
			lines = append(lines, name+"="+*v)
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	text := strings.Join(lines, "\n")
	if text != "" {
		text += "\n"
	}
	tmp := fmt.Sprintf("%s.%d", file, os.Getpid())
	if err := os.WriteFile(tmp, []byte(text), 0o666); err != nil {
		return err
	}
	if err := os.Rename(tmp, file); err != nil {
		os.Remove(tmp)
		return err
	}
	return nil
}
