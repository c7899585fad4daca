package heaptest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// TestContainers has files stand for the cgroups of a process: the limit that its program finds,
// and what it finds when a file has changed.
func TestContainers(t *testing.T) {
	const mb = 1 << 20
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/container.go")
	v1 := func(path string) string { return "sys/fs/cgroup/memory" + path + "/memory.limit_in_bytes" }
	v2 := func(path string) string { return "sys/fs/cgroup" + path + "/memory.max" }
	const none = 1<<63 - 1
	for _, c := range []struct {
		name, cgroup string
		files        map[string]string
		env          string
		want         int
		change       string // a file
		to           string
		then         int
		emptied      bool // before it is changed
	}{
		{name: "none", cgroup: "0::/a\n", want: none},
		{name: "v2", cgroup: "0::/a/b\n", files: map[string]string{v2("/a/b"): "104857600\n"}, want: 90 * mb,
			change: v2("/a/b"), to: "209715200\n", then: 180 * mb},
		{name: "v2 emptied", cgroup: "0::/a/b\n", files: map[string]string{v2("/a/b"): "104857600\n"}, want: 90 * mb,
			change: v2("/a/b"), to: "209715200\n", then: 180 * mb, emptied: true},
		{name: "v2 above", cgroup: "0::/a/b\n", files: map[string]string{v2("/a/b"): "max\n", v2("/a"): "104857600\n"},
			want: 90 * mb, change: v2("/a/b"), to: "52428800\n", then: 45 * mb},
		{name: "v2 least", cgroup: "0::/a/b\n", files: map[string]string{v2("/a/b"): "209715200\n", v2("/a"): "104857600\n"},
			want: 90 * mb, change: v2("/a"), to: "max\n", then: 180 * mb},
		{name: "v2 root", cgroup: "0::/\n", files: map[string]string{v2(""): "104857600\n"}, want: 90 * mb, change: v2(""),
			to: "max\n", then: none},
		{name: "v1", cgroup: "5:cpu,cpuacct:/x\n4:memory:/c/d\n0::/\n",
			files: map[string]string{v1("/c/d"): "104857600\n", v1(""): "9223372036854771712\n"}, want: 90 * mb,
			change: v1("/c/d"), to: "9223372036854771712\n", then: none},
		{name: "v1 mounted", cgroup: "4:memory:/docker/123\n", files: map[string]string{v1(""): "104857600\n"}, want: 90 * mb},
		{name: "v1 unlimited", cgroup: "4:memory:/\n", files: map[string]string{v1(""): "9223372036854771712\n"}, want: none,
			change: v1(""), to: "104857600\n", then: 90 * mb},
		{name: "set", cgroup: "0::/a\n", files: map[string]string{v2("/a"): "104857600\n"}, env: "GOMEMLIMIT=50MiB", want: 50 * mb},
		{name: "off", cgroup: "0::/a\n", files: map[string]string{v2("/a"): "104857600\n"}, env: "GOMEMLIMIT=off", want: none},
		{name: "percent", cgroup: "0::/a\n", files: map[string]string{v2("/a"): "104857600\n"}, env: "LOAMGC=mem=80%",
			want: 80 * mb, change: v2("/a"), to: "209715200\n", then: 160 * mb},
		{name: "percent beside a set one", cgroup: "0::/a\n", files: map[string]string{v2("/a"): "104857600\n"},
			env: "LOAMGC=mem=80% GOMEMLIMIT=50MiB", want: 50 * mb},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			write := func(file, text string) {
				name := filepath.Join(root, file)
				if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			write("proc/self/cgroup", c.cgroup)
			for file, text := range c.files {
				write(file, text)
			}
			args := []string{}
			want := fmt.Sprintln(c.want)
			if c.change != "" {
				args = []string{filepath.Join(root, c.change)}
				if c.emptied {
					args = append(args, "")
					want += fmt.Sprintln(c.want)
				}
				args = append(args, c.to)
				want += fmt.Sprintln(c.then)
			}
			env := append(strings.Fields(c.env), "LOAMCGROUP="+root)
			out, state := loamtest.Run(t, 3*time.Minute, env, exe, args...)
			if !state.Success() || out != want {
				t.Errorf("%v: printed\n%swant\n%s", state, out, want)
			}
		})
	}
}

// TestKeepingUp wants a line where a limit cannot be kept, once, and none where it can.
func TestKeepingUp(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/keepup.go")
	for env, want := range map[string]int{"GOMEMLIMIT=30MiB": 1, "GOMEMLIMIT=400MiB": 0, "": 0} {
		out, state := loamtest.Run(t, 3*time.Minute, append(strings.Fields(env), "GOMAXPROCS=1"), exe)
		if n := strings.Count(out, "the memory limit cannot be kept"); !state.Success() || n != want {
			t.Errorf("%s: %v, %d lines, want %d:\n%s", env, state, n, want, loamtest.Clip(out))
		}
	}
}
