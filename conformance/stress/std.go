package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// prepareTests compiles the tests of a package of std with both compilers.
func prepareTests(pkg, dir string) *program {
	base := filepath.Join(dir, strings.ReplaceAll(pkg, "/", "_"))
	p := &program{
		name: pkg, pkg: pkg, loam: base + ".loam", gc: base + ".gc",
		dir:  filepath.Join(runtime.GOROOT(), "src", filepath.FromSlash(pkg)),
		args: []string{"-test.short", "-test.timeout=" + (*limit * 9 / 10).String()},
	}
	if skip := failing(pkg); len(skip) > 0 {
		p.args = append(p.args, "-test.skip="+strings.Join(skip, "|"))
	}
	for command, exe := range map[string]string{*loam: p.loam, "go": p.gc} {
		if out, err := exec.Command(command, "test", "-c", "-o", exe, pkg).CombinedOutput(); err != nil {
			fatal(fmt.Errorf("%s test -c %s: %v\n%s", command, pkg, err, out))
		}
	}
	return p
}

// failing returns patterns of the tests of pkg that conformance/std-failures.txt has.
func failing(pkg string) (tests []string) {
	list, err := os.ReadFile("conformance/std-failures.txt")
	if err != nil {
		fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		if f := strings.Fields(line); len(f) > 2 && f[0] == pkg {
			tests = append(tests, "^"+strings.ReplaceAll(regexp.QuoteMeta(f[1]), "/", "$/^")+"$")
		}
	}
	return tests
}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// again runs the tests that failed in out by themselves, five times as each compiler made them, and
// says how that went.
func (p *program) again(ctx context.Context, out []byte, env []string) string {
	var tests []string
	for _, m := range failedTest.FindAllSubmatch(out, -1) {
		tests = append(tests, string(bytes.TrimSpace(m[1])))
	}
	if len(tests) == 0 {
		return ""
	}
	slices.Sort(tests)
	tests = slices.Compact(tests)
	const times = 5
	fails := func(exe string) (n int) {
		for range times {
			if _, status, _ := p.execute(ctx, exe, env, append(p.args, "-test.run=^("+strings.Join(tests, "|")+")$")...); status != 0 {
				n++
			}
		}
		return n
	}
	return fmt.Sprintf("%s; again: %d of %d fail, with gc %d; ", strings.Join(tests, " "), fails(p.loam), times, fails(p.gc))
}
