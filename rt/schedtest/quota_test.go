package schedtest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// TestQuota has files stand for the cgroups of a process: what its program is told of the CPU
// quota.
func TestQuota(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/quota/main.go")
	const own, above, v1 = "sys/fs/cgroup/a/b/cpu.stat", "sys/fs/cgroup/a/cpu.stat", "sys/fs/cgroup/cpu/x/cpu.stat"
	const usage = "usage_usec 9000000\nuser_usec 5000000\nsystem_usec 4000000\n"
	quota := func(counts string) string { return usage + counts + "nr_bursts 0\nburst_usec 0\n" }
	for _, c := range []struct {
		name, cgroup string
		files        map[string]string
		change, to   string
		want         string
	}{
		{"none", "0::/a/b\n", map[string]string{own: usage}, own, usage, "0 0 0\n0 0 0\n"},
		{"no file", "0::/a/b\n", map[string]string{above: ""}, own, usage, "0 0 0\n0 0 0\n"},
		{"own", "0::/a/b\n", map[string]string{own: quota("nr_periods 40\nnr_throttled 3\nthrottled_usec 250000\n")},
			own, quota("nr_periods 60\nnr_throttled 7\nthrottled_usec 1500000\n"), "40 3 0.25\n60 7 1.5\n"},
		{"above", "0::/a/b\n", map[string]string{own: quota("nr_periods 0\nnr_throttled 0\nthrottled_usec 0\n"),
			above: quota("nr_periods 10\nnr_throttled 1\nthrottled_usec 500000\n")},
			own, quota("nr_periods 5\nnr_throttled 5\nthrottled_usec 500000\n"), "10 1 0.5\n15 6 1\n"},
		{"version 1", "5:cpu,cpuacct:/x\n4:memory:/c\n0::/\n",
			map[string]string{v1: "nr_periods 8\nnr_throttled 2\nthrottled_time 750000000\n"},
			v1, "nr_periods 9\nnr_throttled 3\nthrottled_time 1000000000\n", "8 2 0.75\n9 3 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			c.files["proc/self/cgroup"] = c.cgroup
			for file, text := range c.files {
				name := filepath.Join(root, file)
				if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.MkdirAll(filepath.Dir(filepath.Join(root, c.change)), 0o777); err != nil {
				t.Fatal(err)
			}
			out, state := loamtest.Run(t, time.Minute, []string{"LOAMCGROUP=" + root}, exe, filepath.Join(root, c.change), c.to)
			if !state.Success() || out != c.want {
				t.Errorf("%v: printed\n%swant\n%s", state, out, c.want)
			}
		})
	}
}
