package toolchain

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"loam/internal/child"
	"loam/internal/install"
	"loam/internal/timeline"
	"loam/internal/tools"
)

// Intermediate writes a file for a tool to read: into the work directory if the user keeps
// it, otherwise under a temporary name. A suffix with a slash makes a directory, too.
func (t *Toolchain) Intermediate(pkg, suffix string, data []byte) (name string, err error) {
	if t.Work != "" {
		name = filepath.Join(t.Work, strings.NewReplacer("/", "_", " ", "_").Replace(pkg)+suffix)
	} else if name, err = t.Cache.Temp(suffix); err != nil {
		return "", err
	}
	if t.DryRun {
		return name, nil
	}
	if strings.Contains(suffix, "/") {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return "", err
		}
	}
	return name, os.WriteFile(name, data, 0o666)
}

// Discard removes an intermediate file that was read, unless the user keeps it.
func (t *Toolchain) Discard(name string) {
	if t.Work == "" {
		os.Remove(name)
	}
}

// object runs clang with args and stores what it makes under the object's key, unless another
// build does that in the same moment.
func (t *Toolchain) object(pkg, object string, args []string, during *timeline.Span) error {
	tmp, err := t.Cache.Temp(".o")
	if err != nil {
		return err
	}
	if args = append(args, "-o", tmp); t.DryRun {
		t.Show(pkg, t.Clang.Path, args...)
		return nil
	}
	defer t.Cache.Lock(object)()
	if t.Cache.Has(object, "o") && t.Cache.Usable(object) && t.Work == "" {
		return nil
	}
	if err := t.Cache.Writable(); err != nil {
		return err
	}
	if err := t.runClang(pkg, args, during); err != nil {
		os.Remove(tmp)
		return err
	}
	if !install.IsELF(tmp) {
		err := fmt.Errorf("%s ended without an error, but wrote no object file", t.Clang.Path)
		t.Break(err)
		return err
	}
	t.Cache.NoteMade(object)
	return t.Cache.Adopt(tmp, object, "o")
}

// runClang runs clang with arguments that end with the names of its input and of the object, or has
// a server do the same with LLVM text.
func (t *Toolchain) runClang(pkg string, args []string, during *timeline.Span) error {
	if flags, files := args[:len(args)-5], args[len(args)-5:]; files[0] == "-x" && files[1] == "ir" {
		spent, err := t.serve(flags, files[2], files[4])
		if err == nil {
			if t.Commands {
				t.Show(pkg, t.Clang.Path, args...)
			}
			during.Tool(spent)
			return nil
		}
	}
	return t.runTool(pkg, t.Clang, args, during)
}

// runTool runs a program that says nothing when all is well, for that package.
func (t *Toolchain) runTool(pkg string, tool tools.Tool, args []string, during *timeline.Span) error {
	if t.Commands {
		t.Show(pkg, tool.Path, args...)
	}
	cmd := t.Cache.Command(tool.Path, args...)
	out, err := child.Tool(cmd)
	if s := cmd.ProcessState; s != nil {
		during.Tool(s.UserTime() + s.SystemTime())
	}
	text := strings.TrimSpace(string(out))
	if errors.Is(err, child.ErrEnding) {
		return err
	}
	if err != nil {
		return &Error{Tool: filepath.Base(tool.Path), Err: err, Output: text}
	}
	if text != "" {
		t.Print.Line(text)
	}
	return nil
}

// Show prints a command for that package as the go command's -x and -n do: packages are named
// when their first command comes, the directory for temporary files is $WORK.
func (t *Toolchain) Show(pkg, name string, args ...string) {
	words := append([]string{name}, args...)
	for i, w := range words {
		if t.Work != "" {
			w = strings.ReplaceAll(w, t.Work, "$WORK")
		} else {
			w = strings.ReplaceAll(w, t.Cache.TempDir(), "$WORK")
		}
		if strings.ContainsAny(w, " \t\"'\\*?;&|<>()") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words[i] = w
	}
	text := strings.Join(words, " ")
	t.mu.Lock()
	if t.shown != pkg {
		t.shown = pkg
		text = "\n#\n# " + t.shown + "\n#\n\n" + text
	}
	t.mu.Unlock()
	t.Print.Line(text)
}
