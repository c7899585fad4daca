package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// A set-user-ID program wrote its trace to whatever file its caller named, and printed its stacks.
func main() {
	if len(os.Args) > 1 {
		fmt.Println(os.Geteuid() == 0, os.Getenv("GOTRACEBACK"), os.Getenv("OTHER"))
		panic("crash")
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	os.Chmod(dir, 0o755)
	self, _ := os.ReadFile("/proc/self/exe")
	program, trace := filepath.Join(dir, "program"), filepath.Join(dir, "trace")
	fmt.Println(os.WriteFile(program, self, 0o755), os.Chmod(program, 0o755|os.ModeSetuid))
	child := exec.Command(program, "child")
	child.Env = []string{"GOTRACEBACK=all", "OTHER=x", "LOAMTRACE=" + trace}
	child.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := child.CombinedOutput()
	fmt.Printf("%s%v\n", out, err != nil)
	_, err = os.Stat(trace)
	fmt.Println("trace:", err == nil)
}
