package main_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// terminal opens a pseudo terminal of so many columns: what is written to slave is read from
// master.
func terminal(t *testing.T, columns uint16) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	control := func(request uintptr, p unsafe.Pointer) {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(p)); errno != 0 {
			t.Skip(errno)
		}
	}
	var locked int32
	control(syscall.TIOCSPTLCK, unsafe.Pointer(&locked))
	var number uint32
	control(syscall.TIOCGPTN, unsafe.Pointer(&number))
	size := [4]uint16{24, columns}
	control(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	return master, slave
}

// onTerminal is what loam writes to stderr if that is a terminal.
func onTerminal(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	master, slave := terminal(t, 60)
	cmd := exec.Command(loam, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = slave
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	var text bytes.Buffer
	io.Copy(&text, master) // ends with an error when the terminal has no writer any more
	master.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %v\n%s", args, err, text.String())
	}
	return text.String()
}

// TestProgress: a long build on a terminal says how far it is, in one line, which is gone in the
// end.
func TestProgress(t *testing.T) {
	dir := heavyPackages(t, 4)
	build := func(env string, flags ...string) string {
		cache := filepath.Join(t.TempDir(), "cache")
		return onTerminal(t, dir, []string{"LOAMCACHE=" + cache, env}, append(append([]string{"build"}, flags...), "./...")...)
	}
	text := build("TERM=xterm", "-p=2")
	lines := strings.Split(text, "\r")
	shape := regexp.MustCompile(`^(\[(\d+)%\] )?(example\.com/heavy/p[0-3](, )?)*.{0,40}\x1b\[K$`)
	named, both, percent := 0, false, 0
	for i, line := range lines {
		if m := shape.FindStringSubmatch(line); m != nil && m[2] != "" {
			if now, _ := strconv.Atoi(m[2]); now < percent || now > 100 {
				t.Errorf("%d %% behind %d %%: %q", now, percent, text)
			} else {
				percent = now
			}
		}
		switch last := i == len(lines)-1; {
		case i == 0 && line == "" || last && line == "\x1b[K":
		case last || !shape.MatchString(line) || len(line) > 60+len("\x1b[K"):
			t.Errorf("line %q of %q", line, text)
		case strings.Count(line, "heavy/p") == 2:
			both = true
		case strings.Contains(line, "heavy/p"):
			named++
		}
	}
	if percent < 50 {
		t.Errorf("the last that was said is %d %%: %q", percent, text)
	}
	if strings.Contains(text, "standard library") {
		t.Errorf("nothing of the standard library is compiled: %q", text)
	}
	if named == 0 || !both {
		t.Errorf("progress does not name packages, or not two at a time: %q", text)
	}
	if text := build("TERM=dumb"); text != "" {
		t.Errorf("on a dumb terminal: %q", text)
	}
	above := build("TERM=xterm", "-v")
	for i := range 4 {
		if name := fmt.Sprintf("example.com/heavy/p%d\r\n", i); !strings.Contains(above, "\r\x1b[K"+name) &&
			!strings.Contains(above, "\n"+name) && !strings.HasPrefix(above, name) {
			t.Errorf("-v does not name %q in a line of its own: %q", name, above)
		}
	}
}
