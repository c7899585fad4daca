package load

import (
	"os"
	"os/exec"
	"strings"
)

// Tags are the build tags of every Loam build.
var Tags = []string{"loam"}

// Config says how to ask the go command.
type Config struct {
	*SDK            // nil only where no go command is needed
	Shadow *Shadow  // of the SDK
	Dir    string   // where to run it; "" is the current directory
	Tags   []string // the user's, in addition to Tags
	Tests  bool     // include the packages' test variants and test mains
	Flags  []string // further flags for go list, such as -mod=mod
	// Overlay maps source files to those that are read instead (-overlay), by absolute name.
	Overlay  map[string]string
	Cgo      CgoMode
	TrimPath bool // users see import paths instead of directories
	Faulty   bool // list packages with errors too, each with its own
}

// Env is the environment in which the go command works for Loam. What it keeps is about the shadow
// GOROOT of this machine, which is not for a program that may serve many.
func (c *Config) Env() []string {
	env := os.Environ()
	return append(env, "GOROOT="+c.Shadow.Dir, "CGO_ENABLED="+c.cgoEnabled(), "GOOS=linux", "GOARCH=amd64",
		"GOTOOLCHAIN=local", "GOCACHEPROG=")
}

// command is go list with args for patterns.
func (c *Config) command(args, patterns []string) *exec.Cmd {
	args = append([]string{"list", "-tags=" + strings.Join(append(append([]string{}, Tags...), c.Tags...), ",")}, args...)
	args = append(append(args, c.Flags...), "--")
	cmd := exec.Command(c.Go, append(args, patterns...)...)
	cmd.Dir = c.Dir
	cmd.Env = c.Env()
	return cmd
}
