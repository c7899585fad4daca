package build

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"loam/internal/child"
	"loam/internal/timeline"
	"loam/internal/tools"
)

// intermediate writes a file for a tool to read: into the work directory if the user keeps
// it, otherwise under a temporary name.
func (b *Builder) intermediate(n *unit, suffix string, data []byte) (name string, err error) {
	if b.work != "" {
		name = filepath.Join(b.work, strings.NewReplacer("/", "_", " ", "_").Replace(n.pkg.ImportPath)+suffix)
	} else if name, err = b.cache.Temp(suffix); err != nil {
		return "", err
	}
	if b.DryRun {
		return name, nil
	}
	return name, os.WriteFile(name, data, 0o666)
}

// compileTo runs clang with args and stores what it makes under the object's key, unless another
// build does that in the same moment.
func (b *Builder) compileTo(n *unit, object string, args []string, during *timeline.Span) error {
	tmp, err := b.cache.Temp(".o")
	if err != nil {
		return err
	}
	if args = append(args, "-o", tmp); b.DryRun {
		b.show(n, b.clang.Path, args...)
		return nil
	}
	defer b.cache.Lock(object)()
	if b.cache.Has(object, "o") && b.usable(object) && b.work == "" {
		return nil
	}
	if err := b.cache.Writable(); err != nil {
		return err
	}
	if err := b.runClang(n, args, during); err != nil {
		os.Remove(tmp)
		return err
	}
	if !hasHead(tmp, programHeads[:1]) {
		err := fmt.Errorf("%s ended without an error, but wrote no object file", b.clang.Path)
		b.broken.Store(&err)
		return err
	}
	b.noteMade(object)
	return b.cache.Adopt(tmp, object, "o")
}

// runClang runs clang with arguments that end with the names of its input and of the object, or has
// a server do the same with LLVM text.
func (b *Builder) runClang(n *unit, args []string, during *timeline.Span) error {
	if flags, files := args[:len(args)-5], args[len(args)-5:]; files[0] == "-x" && files[1] == "ir" {
		spent, err := b.serve(flags, files[2], files[4])
		if err == nil {
			if b.Commands {
				b.show(n, b.clang.Path, args...)
			}
			during.Tool(spent)
			return nil
		}
	}
	return b.runTool(n, b.clang, args, during)
}

// runTool runs a program that says nothing when all is well, for the package of n.
func (b *Builder) runTool(n *unit, t tools.Tool, args []string, during *timeline.Span) error {
	if b.Commands {
		b.show(n, t.Path, args...)
	}
	cmd := b.cache.Command(t.Path, args...)
	out, err := child.Tool(cmd)
	if s := cmd.ProcessState; s != nil {
		during.Tool(s.UserTime() + s.SystemTime())
	}
	text := strings.TrimSpace(string(out))
	if errors.Is(err, child.ErrEnding) {
		return err
	}
	if err != nil {
		return &toolError{tool: filepath.Base(t.Path), err: err, output: text}
	}
	if text != "" {
		b.print.line(text)
	}
	return nil
}

// show prints a command for the package of n as the go command's -x and -n do: packages are named
// when their first command comes, the directory for temporary files is $WORK.
func (b *Builder) show(n *unit, name string, args ...string) {
	words := append([]string{name}, args...)
	for i, w := range words {
		if b.work != "" {
			w = strings.ReplaceAll(w, b.work, "$WORK")
		} else {
			w = strings.ReplaceAll(w, b.cache.TempDir(), "$WORK")
		}
		if strings.ContainsAny(w, " \t\"'\\*?;&|<>()") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words[i] = w
	}
	text := strings.Join(words, " ")
	b.mu.Lock()
	if b.shown != n.pkg.ImportPath {
		b.shown = n.pkg.ImportPath
		text = "\n#\n# " + b.shown + "\n#\n\n" + text
	}
	b.mu.Unlock()
	b.print.line(text)
}

// toolError is the failure of an external program.
type toolError struct {
	tool, output string
	err          error
}

func (e *toolError) Error() string {
	if e.output == "" {
		return fmt.Sprintf("%s: %v", e.tool, e.err)
	}
	// LLVM's programs die of SIGXFSZ with a page about themselves.
	if limit := fileLimit(); limit != "" && strings.Contains(e.output, "\nStack dump:\n") {
		return e.tool + ": " + limit
	}
	lines := strings.Split(e.output, "\n")
	const most = 20
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("... (%d more lines)", len(lines)-most))
	}
	return fmt.Sprintf("%s: %v\n%s", e.tool, e.err, strings.Join(lines, "\n"))
}

// fileLimit says how big files may get, "" if as big as they like.
func fileLimit() string {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit) != nil || limit.Cur == ^uint64(0) {
		return ""
	}
	return fmt.Sprintf("file too large: the limit is %d bytes (ulimit -f)", limit.Cur)
}
