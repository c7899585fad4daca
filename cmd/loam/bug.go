package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"loam/internal/child"
	"loam/internal/ending"
	"loam/internal/tools"
)

var bugVerb = &verb{
	name: "bug", usage: "",
	short: "print a bug report for Loam, to be completed",
	long: `Bug prints the frame of a report about Loam: what it needs to know of your system is there, and you say what
you did, expected and saw. Send it to where you have this loam from. A program that does the same when the
official toolchain builds it is no matter of Loam's: go bug reports that to Go.`,
	run: runBug,
}

// runBug prints the report.
func runBug(args []string) error {
	if rest, err := parse(newFlagSet("bug"), args); err != nil {
		return err
	} else if len(rest) > 0 {
		return usageError("loam: bug takes no arguments")
	}
	ending.BySignals()
	fmt.Print(`### What did you do?

<!-- The program, or where it is, and the commands. Of a simulated run the command that follows "again:". -->

### What did you expect?

<!-- What does the official toolchain do with it? -->

### What did you see instead?

### Does it depend on a setting?

<!-- LOAMESCAPE=off, -gcflags=-N and LOAMGC=concurrent=0 each tell where to look. -->

### System

` + "```\n")
	fmt.Println(versionLine())
	fmt.Println("$ loam env -changed")
	fmt.Print(changedSettings())
	fmt.Printf("kernel %s, %d processors, %s\n", kernel(), runtime.NumCPU(), processor())
	clang, lld := tools.Paths()
	for _, tool := range []string{clang, lld} {
		fmt.Println(firstLine(exec.Command(tool, "--version")))
	}
	fmt.Println("```")
	fmt.Fprintln(os.Stderr, "loam: this is the frame of a report (loam bug > report.md): complete it, and send it to where you have loam from")
	return nil
}

// changedSettings is what env -changed prints.
func changedSettings() string {
	self, err := os.Executable()
	if err != nil {
		return err.Error() + "\n"
	}
	out, err := child.Output(exec.Command(self, "env", "-changed"))
	if err != nil {
		return fmt.Sprintln(err)
	}
	return string(out)
}

func kernel() string {
	var u syscall.Utsname
	if err := syscall.Uname(&u); err != nil {
		return err.Error()
	}
	var release []byte
	for _, c := range u.Release {
		if c == 0 {
			break
		}
		release = append(release, byte(c))
	}
	return string(release)
}

// processor is the name that the processor has.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

func firstLine(cmd *exec.Cmd) string {
	out, err := child.Output(cmd)
	if err != nil {
		return fmt.Sprintf("%s: %v", cmd.Path, err)
	}
	line, _, _ := bytes.Cut(out, []byte("\n"))
	return string(line)
}
