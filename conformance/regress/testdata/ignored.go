package main

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
)

// Sequences of signal.Ignore, Notify, Stop and Reset: which signals the program ignores then, and with it its children. SIGHUP and
// SIGINT that Ignore has had are ignored again after Stop, and Reset leaves alone what is ignored.
func main() {
	signals := []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGPIPE}
	c := make(chan os.Signal, 100)
	r := rand.New(rand.NewSource(1))
	for range 50 {
		s := signals[r.Intn(len(signals))]
		switch r.Intn(5) {
		case 0:
			signal.Ignore(s)
			fmt.Print("ignore ", s)
		case 1, 2:
			signal.Notify(c, s)
			fmt.Print("notify ", s)
		case 3:
			signal.Stop(c)
			fmt.Print("stop")
		case 4:
			signal.Reset(s)
			fmt.Print("reset ", s)
		}
		fmt.Println()
		self := fmt.Sprintf("/proc/%d/status", os.Getpid())
		status, err := exec.Command("/bin/sed", "-n", "s/SigIgn:.//p", "/proc/self/status", self).Output()
		fmt.Print("\t", strings.Fields(string(status)), err)
		for _, s := range signals {
			fmt.Print(" ", signal.Ignored(s))
		}
		fmt.Println()
	}
	for _, s := range signals {
		if signal.Ignored(s) {
			syscall.Kill(os.Getpid(), s.(syscall.Signal))
		}
	}
	signal.Ignore(syscall.SIGINT)
	signal.Notify(c, syscall.SIGINT)
	signal.Stop(c)
	syscall.Kill(os.Getpid(), syscall.SIGINT)
	fmt.Println("alive")
}
