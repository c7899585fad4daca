// Simoff says what it costs a program that is not simulated that it could be (docs/rationale.md).
// It builds bench/goroutines twice: as it is, and by a run-time system in which sys.Simulated is a
// constant, so that nothing asks for it. Both run in turn, and of each result the median is taken:
// processor time, which other work on the machine disturbs least. The best would not do, because
// with luck a contended lock is not contended at all. Rates count as the time of one request;
// percentiles of latency are left out, because they are elapsed time.
//
// usage: simoff [-loam bin/loam] [-rounds 9] [topic...]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// changes are what makes a run-time system that cannot simulate, by file.
var changes = map[string][][2]string{
	"rt/sys/simulated.go": {
		{"\nvar Simulated bool\n", "\nconst Simulated = false\n"},
		{`if SimSetting, Simulated = Getenv("LOAMSIM"); Simulated {`, "if Simulated {"},
	},
	"overlay/syscall/vfork.gas":                          {{question, ""}},
	"overlay/internal/runtime/syscall/linux/syscall.gas": {{question, ""}},
}

const question = "\tcmpb\t$0, \"internal/rt/sys.Simulated\"(%rip)\n\tjne\t2f\n"

func main() {
	loam := flag.String("loam", "bin/loam", "the loam `command`")
	rounds := flag.Int("rounds", 9, "how often each program runs")
	flag.Parse()
	topics := flag.Args()
	if len(topics) == 0 {
		topics = []string{"switch", "spawn", "pingpong", "buffered", "select", "mutex", "timers", "echo", "http"}
	}
	if err := run(*loam, *rounds, topics); err != nil {
		fmt.Fprintln(os.Stderr, "simoff:", err)
		os.Exit(1)
	}
}

func run(loam string, rounds int, topics []string) error {
	temp, err := os.MkdirTemp("", "simoff")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	without := filepath.Join(temp, "root")
	if err := copyWithout(without); err != nil {
		return err
	}
	var programs [2]string
	for i, root := range []string{root, without} {
		programs[i] = filepath.Join(temp, fmt.Sprint("program", i))
		cmd := exec.Command(loam, "build", "-o", programs[i], "./bench/goroutines")
		cmd.Env = append(os.Environ(), "LOAMROOT="+root)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	all := [2]map[string][]float64{{}, {}}
	var order []string
	for range rounds {
		for i, program := range programs {
			lines, err := measure(program, topics)
			if err != nil {
				return err
			}
			for _, l := range lines {
				if all[i][l.what] == nil && i == 0 {
					order = append(order, l.what)
				}
				all[i][l.what] = append(all[i][l.what], l.value)
			}
		}
	}
	return table(order, all)
}

// copyWithout copies the run-time system, without what asks whether the run is simulated.
func copyWithout(to string) error {
	for _, dir := range []string{"rt", "overlay"} {
		if err := os.CopyFS(filepath.Join(to, dir), os.DirFS(dir)); err != nil {
			return err
		}
	}
	for name, edits := range changes {
		name = filepath.Join(to, name)
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, edit := range edits {
			if !bytes.Contains(text, []byte(edit[0])) {
				return fmt.Errorf("%s has no %q", name, edit[0])
			}
			text = bytes.Replace(text, []byte(edit[0]), []byte(edit[1]), 1)
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// line is a result.
type line struct {
	what  string
	value float64 // nanoseconds
}

func measure(program string, topics []string) (lines []line, err error) {
	cmd := exec.Command(program, append([]string{"-cpu"}, topics...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	for row := range strings.Lines(string(out)) {
		words := strings.Split(strings.TrimSpace(row), "\t")
		if len(words) != 5 || words[1] == "p50" || words[1] == "p99" {
			continue
		}
		value, err := strconv.ParseFloat(words[3], 64)
		if err != nil {
			return nil, err
		}
		switch words[4] {
		case "ns":
		case "1/s":
			value = 1e9 / value
		default:
			continue
		}
		lines = append(lines, line{strings.Join(words[:3], "\t"), value})
	}
	return lines, nil
}

// median is the middle of the values, 0 of none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func table(order []string, all [2]map[string][]float64) error {
	logs := 0.0
	fmt.Println("topic\tseries\tx\tas it is, ns\twithout, ns\tratio")
	for _, what := range order {
		a, b := median(all[0][what]), median(all[1][what])
		if a <= 0 || b <= 0 {
			return fmt.Errorf("%s: %v and %v", what, a, b)
		}
		logs += math.Log(a / b)
		fmt.Printf("%s\t%.2f\t%.2f\t%.3f\n", what, a, b, a/b)
	}
	fmt.Printf("geometric mean of %d ratios: %.4f\n", len(order), math.Exp(logs/float64(len(order))))
	return nil
}
