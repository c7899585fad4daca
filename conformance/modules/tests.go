package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// outcome is what became of a package's tests.
type outcome struct {
	tests  map[string]string // pass, fail or skip, by name; subtests are part of theirs
	action string            // of the package, empty if it did not end
	built  bool
	output []byte
}

// death says, in parentheses, how the package failed if not by a test: it was not built, or the
// program ended otherwise.
func (o *outcome) death() string {
	switch {
	case !o.built:
		return "(build)"
	case o.action == "pass" || o.action == "skip":
		return ""
	}
	for _, action := range o.tests {
		if action == "fail" && !bytes.Contains(o.output, []byte("\npanic: ")) && !bytes.Contains(o.output, []byte("\nfatal error: ")) {
			return ""
		}
	}
	return "(exit)"
}

// test runs tests of packages, by go or by loam, and measures the test programs.
func (r *runner) test(dir, command string, m *module, packages []string) (map[string]*outcome, usage) {
	os.Remove(r.measured())
	limit := cmp.Or(m.limit, r.limit)
	env := environ()
	args := []string{"test", "-json", "-short", "-count=1", "-vet=off", "-exec=" + r.exec}
	if r.race {
		limit *= 2
		env = append(env, "CGO_ENABLED=1")
		args = append(args, "-race")
	}
	args = append(args, "-timeout="+limit.String())
	if len(m.skip) > 0 {
		args = append(args, "-skip=^("+strings.Join(m.skip, "|")+")$")
	}
	args = append(append(args, m.flags...), packages...)
	// Packages are built meanwhile, two at a time, and no package may take all the time there is.
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute+time.Duration(len(packages))*limit/2)
	defer cancel()
	c := exec.CommandContext(ctx, command, args...)
	c.Dir = dir
	c.Env = env
	c.WaitDelay = 10 * time.Second
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	fmt.Fprintf(r.log, "== %s: %s %s (%v)\n%s", dir, filepath.Base(command), strings.Join(args, " "), err, stderr.Bytes())
	outcomes := readEvents(bytes.NewReader(out))
	for _, path := range packages {
		if o := outcomes[path]; o != nil && o.action == "fail" {
			fmt.Fprintf(r.log, "-- %s\n%s\n", path, o.output)
			if r.verbose {
				os.Stdout.Write(o.output)
			}
		}
	}
	return outcomes, readUsage(r.measured())
}

// readEvents reads what test -json prints.
func readEvents(from io.Reader) map[string]*outcome {
	outcomes := map[string]*outcome{}
	builds := map[string][]byte{} // what the compiler said
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		var e struct{ Action, Package, Test, Output, FailedBuild, ImportPath string }
		if json.Unmarshal(line, &e) == nil {
			switch {
			case e.Action == "build-output":
				builds[e.ImportPath] = append(builds[e.ImportPath], e.Output...)
			case e.Package != "":
				o := outcomes[e.Package]
				if o == nil {
					o = &outcome{tests: map[string]string{}, built: true}
					outcomes[e.Package] = o
				}
				o.event(e.Action, e.Test, e.Output)
				if e.FailedBuild != "" {
					o.built = false
					o.output = append(o.output, builds[e.FailedBuild]...)
				}
			}
		}
		if err != nil {
			return outcomes
		}
	}
}

func (o *outcome) event(action, test, output string) {
	switch action {
	case "output":
		o.output = append(o.output, output...)
		if strings.Contains(output, "[build failed]") || strings.Contains(output, "[setup failed]") {
			o.built = false
		}
	case "pass", "fail", "skip":
		if test == "" {
			o.action = action
		} else if !strings.Contains(test, "/") {
			o.tests[test] = action
		}
	}
}
