package link

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"loam/internal/finish"
	"loam/internal/install"
	"loam/internal/load"
	"loam/internal/pool"
	"loam/internal/reach"
	"loam/internal/store"
	"loam/internal/timeline"
	"loam/internal/toolchain"
	"loam/internal/tools"
)

// Key names the program that Link would make.
func (l *Linker) Key(p *Program) string {
	h := store.NewHasher("program")
	h.Add("compiler", l.CompilerID)
	h.Add("lld", l.LLD.ID)
	h.Add("flags", strings.Join(linkFlags(l.Mode), " "))
	h.Add("drop", fmt.Sprint(l.DropSymbols, l.DropDebug))
	h.Add("startup", string(l.startup(p)))
	h.Add("note", l.IDs.key())
	if !l.Load.TrimPath {
		h.Add("roots", fmt.Sprint(l.Load.Roots()))
	}
	for _, n := range p.Packages {
		h.Add(n.ImportPath, n.Content)
		if n.C != nil {
			h.Add("C", n.C.Key+" "+l.Clang.ID)
		}
	}
	if p.hasC() {
		h.Add("external", fmt.Sprintf("%q", l.External))
	}
	return h.Sum()
}

// Link makes the program, which is static, and moves it to out when it is whole, unless out is that
// program already. Without out the program is only to be seen to link; the cache remembers that.
func (l *Linker) Link(p *Program, out string) error {
	lane := l.Timeline.Lane() // tests are linked beside each other
	defer lane.Free()
	id := l.Key(p)
	if l.isLinked(p, out, id, lane) {
		return l.writeHeader(p, out)
	}
	// Made in the cache, an interrupted build leaves nothing in the user's directories.
	made, err := l.Cache.Temp("")
	if err != nil {
		return err
	}
	defer os.Remove(made)
	preparing := lane.Begin(p.Main.ImportPath, "startup")
	keys, objects, err := l.objects(p)
	preparing.End()
	if err != nil {
		return err
	}
	outlining := lane.Begin(p.Main.ImportPath, "outline")
	outlines, err := l.outlines(p, keys, objects)
	outlining.End()
	if err != nil {
		return err
	}
	all := input{p: p, id: id, made: made, count: len(objects) + 1, script: l.script(p, outlines != nil && l.DropDebug)}
	files, isBundled := l.bundled(p, keys, objects, outlines)
	if err = l.linkFiles(&all, files, lane); err != nil && isBundled {
		err = l.linkFiles(&all, objects, lane) // what is wrong names objects
	}
	if err != nil || l.DryRun {
		if l.DryRun && err == nil {
			l.Show(p.Main.ImportPath, "mv", made, out)
		}
		return err
	}
	if module, _ := splitFIPS(p.Packages); module != nil {
		if err := sealFIPS(made); err != nil {
			return err
		}
	}
	if out == "" {
		return l.Cache.Write(id, linksKind, nil)
	}
	return l.complete(p, outlines, made, id, out, lane)
}

// input is what is linked, but for the objects.
type input struct {
	p        *Program
	id, made string // its key, and the file that becomes it
	count    int    // of the objects and the script
	script   string // for the linker
}

// script is the linker's script.
func (l *Linker) script(p *Program, discards bool) string {
	script := methodScript(p.Methods)
	if !p.hasC() {
		script = inSection(script)
	}
	if discards {
		script += discardScript()
	}
	return script
}

// linkFiles links these objects.
func (l *Linker) linkFiles(in *input, objects []string, lane *timeline.Lane) error {
	p := in.p
	methods, err := l.Intermediate(p.Main.ImportPath, ".methods", []byte(in.script))
	if err != nil {
		return err
	}
	defer l.Discard(methods)
	response, err := l.Intermediate(p.Main.ImportPath, ".link", []byte(strings.Join(append(slices.Clone(objects), methods), "\n")+"\n"))
	if err != nil {
		return err
	}
	defer l.Discard(response)
	args, err := l.arguments(p, in.id, in.made, response, in.count, lane)
	if err != nil {
		return err
	}
	if l.DryRun {
		l.Show(p.Main.ImportPath, l.runs(p).Path, args...)
		return nil
	}
	l.Print.Start()
	l.Print.Begin("linking " + p.Main.ImportPath)
	defer l.Print.Clear()
	return l.run(p, args, in.made, fmt.Sprintf("%d objects", in.count), lane)
}

// methodScript is a linker script that makes symbols the functions that they stand for.
func methodScript(symbols []string) string {
	var s strings.Builder
	for _, m := range symbols {
		fmt.Fprintf(&s, "\"%s\" = \"%s\";\n", m, reach.Function(m))
	}
	return s.String()
}

// inSection puts the script's assignments into the description of a section that every program has,
// which stays where it is. For each section of an object the linker looks at all that stands alone
// in scripts: a quarter of its time. The C library's sections are not described.
func inSection(script string) string {
	const section = finish.VariableSection
	return "SECTIONS { " + section + " : { *(" + section + ")\n" + script + "} } INSERT AFTER .rodata;\n"
}

// isLinked reports whether nothing is to be done: the file out is the program with that id, or,
// without out, the program was seen to link.
func (l *Linker) isLinked(p *Program, out, id string, lane *timeline.Lane) bool {
	switch {
	case l.Cache.Rebuild:
		return false
	case out == "":
		return l.Cache.Has(id, linksKind)
	}
	return !l.DryRun && l.IDs.Go == nil && leave(p, out, id, lane)
}

// linksKind is the kind of empty files by the keys of programs that were seen to link.
const linksKind = "links"

// objects returns the files that are linked, in their order, and their keys.
func (l *Linker) objects(p *Program) (keys, files []string, err error) {
	startup, err := l.keep(p, "startup", l.startup(p))
	if err != nil {
		return nil, nil, err
	}
	keys = []string{startup}
	add := func(list []*Package) {
		for _, n := range list {
			keys = append(keys, n.Objects...)
		}
	}
	module, others := splitFIPS(p.Packages)
	if module != nil {
		start, err := l.keep(p, "fipsstart", fipsMark("start"))
		if err != nil {
			return nil, nil, err
		}
		end, err := l.keep(p, "fipsend", fipsMark("end"))
		if err != nil {
			return nil, nil, err
		}
		keys = append(keys, start)
		add(module)
		keys = append(keys, end)
	}
	add(others)
	files, err = l.objectFiles(keys)
	return keys, files, err
}

// objectFiles returns the files of objects, which the cache must have.
func (l *Linker) objectFiles(keys []string) ([]string, error) {
	files := make([]string, len(keys))
	faults := make([]error, len(keys))
	readers := pool.New(l.Parallel)
	for i, key := range keys {
		if l.DryRun {
			files[i] = l.Cache.Path(key, "o")
			continue
		}
		readers.Do(0, func() { files[i], faults[i] = l.Cache.File(key, "o") })
	}
	readers.Wait()
	return files, errors.Join(faults...)
}

// arguments are the linker's, which is to write the file made, or of clang, which runs it. response
// names so many objects.
func (l *Linker) arguments(p *Program, id, made, response string, objects int, lane *timeline.Lane) ([]string, error) {
	args := []string{"--build-id=" + l.IDs.note(id)}
	if len(l.LinkVars) > 0 {
		// The startup object comes first, so its definitions win over the packages' own.
		args = append(args, "-z", "muldefs")
	}
	if l.Mode.Library() && !p.hasC() {
		return nil, fmt.Errorf("linking %s: -buildmode=%s wants a package with C: import _ \"runtime/cgo\"", p.Main.ImportPath, l.Mode)
	}
	if p.hasC() {
		return l.withC(p, args, made, response, lane)
	}
	if objects <= smallLink {
		args = append(args, "--threads=1")
	}
	return append(append(linkFlags(l.Mode), args...), "-o", made, "@"+response), nil
}

// smallLink is how many objects are linked as fast by one thread as by two, which take a quarter
// more processor time.
const smallLink = 500

// withC are the arguments of clang, with own, further ones of the linker.
func (l *Linker) withC(p *Program, own []string, made, response string, lane *timeline.Lane) ([]string, error) {
	args := []string{"--ld-path=" + l.LLD.Path, "-pthread"}
	if slices.ContainsFunc(p.Packages, func(n *Package) bool { return n.C != nil && n.C.CXX }) {
		args = append(args, "--driver-mode=g++")
	}
	own = append(slices.Clone(sharedFlags), own...)
	var objects, flags []string
	for _, n := range slices.Backward(p.Packages) { // users before what they use
		if n.C == nil {
			continue
		}
		files, err := l.objectFiles(n.C.Objects)
		if err != nil {
			return nil, err
		}
		objects = slices.Concat(objects, files, n.C.Files)
		flags = append(flags, n.C.LD...)
		for _, name := range n.C.Dynamic {
			own = append(own, "--export-dynamic-symbol="+name)
		}
	}
	if err := allowed(l.Mode, l.External); err != nil {
		return nil, fmt.Errorf("linking %s: %w", p.Main.ImportPath, err)
	}
	flags = append(flags, l.External...)
	switch static := slices.Index(flags, "-static"); {
	case l.Mode.Library():
		library, err := l.libraryFlags(p)
		if err != nil {
			return nil, err
		}
		args = append(args, library...)
	case slices.Contains(flags, "-static-pie"):
	case static < 0 && l.Mode.Movable():
		args = append(args, "-pie")
	case static < 0:
		args = append(args, "-no-pie")
	case l.Mode.Movable():
		flags[static] = "-static-pie"
	}
	for _, word := range own {
		args = append(args, "-Xlinker", word)
	}
	args = append(append(append(args, "@"+response), objects...), flags...)
	if slices.ContainsFunc(flags, func(flag string) bool { return flag == "-static" || flag == "-static-pie" }) {
		// What the program takes out of libraries comes before the thread block.
		libraries := []string{"-lm", "-lgcc", "-lgcc_eh", "-lc"}
		if slices.Contains(args, "--driver-mode=g++") {
			libraries = append([]string{"-lstdc++"}, libraries...)
		}
		args = append(append(append(args, "-Xlinker", "--start-group"), libraries...), "-Xlinker", "--end-group")
	}
	if l.Mode.Library() { // its startup has the thread block
		return append(args, "-o", made), nil
	}
	// The thread block is the last of the program's thread-local data.
	m := newObject()
	writeThreadBlock(m)
	key, err := l.keep(p, "threadblock", m.Bytes())
	if err != nil {
		return nil, err
	}
	files, err := l.objectFiles([]string{key})
	if err != nil {
		return nil, err
	}
	return append(args, files[0], "-o", made), nil
}

// runs is what links the program.
func (l *Linker) runs(p *Program) tools.Tool {
	if p.hasC() {
		return l.Clang
	}
	return l.LLD
}

// run runs the linker, and says what is wrong if it makes no program.
func (l *Linker) run(p *Program, args []string, made, note string, lane *timeline.Lane) error {
	linking := lane.Begin(p.Main.ImportPath, "link")
	defer linking.End()
	linking.Note("%s", note)
	link := l.Toolchain.Link
	if p.hasC() {
		link = l.LinkC
	}
	if err := link(p.Main.ImportPath, args, linking); err != nil {
		if toolchain.DiskFull(err) {
			return fmt.Errorf("linking %s in %s: %w", p.Main.ImportPath, filepath.Dir(made), syscall.ENOSPC)
		}
		err = linkError(p.Main, err)
		if fault, ok := err.(*load.Diagnostic); ok && strings.Contains(fault.Text, mainMissing) && !p.Main.ByFiles() {
			fault.Text = strings.Join(append([]string{fault.Text}, l.Load.CgoFiles(p.Main.Dir)...), "\n")
		}
		return err
	}
	if !install.IsELF(made) {
		return fmt.Errorf("%s ended without an error, but wrote no program", l.LLD.Path)
	}
	return nil
}

// complete writes into the program what is known behind the link, and moves it to out.
func (l *Linker) complete(p *Program, outlines [][]byte, made, id, out string, lane *timeline.Lane) error {
	if l.IDs.Go == nil {
		if err := sealID(made, id); err != nil {
			return err
		}
	}
	if p.hasC() && !l.Mode.Library() {
		if err := checkBlock(made); err != nil {
			return fmt.Errorf("linking %s: %w", p.Main.ImportPath, err)
		}
	}
	finishing := lane.Begin(p.Main.ImportPath, "finish")
	var err error
	if l.Mode == toolchain.Archive {
		err = l.makeArchive(made)
	} else {
		options := finish.Options{
			Real: l.Load.Roots().Real, Outlines: outlines, DropSymbols: l.DropSymbols, DropDebug: l.DropDebug,
		}
		err = finish.Program(made, options)
	}
	finishing.End()
	if err != nil {
		return err
	}
	if l.Commands {
		l.Show(p.Main.ImportPath, "mv", made, out)
	}
	if err := l.writeHeader(p, out); err != nil {
		return err
	}
	defer lane.Begin(p.Main.ImportPath, "install").End()
	return install.Program(made, out)
}
