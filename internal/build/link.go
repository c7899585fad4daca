package build

import (
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"loam/internal/finish"
	"loam/internal/importpath"
	"loam/internal/load"
	"loam/internal/store"
	"loam/internal/target"
	"loam/internal/timeline"
)

// programKey names the program that link would make.
func (b *Builder) programKey(main, rt *unit, units []*unit) string {
	h := store.NewHasher("program")
	h.Add("compiler", b.CompilerID)
	h.Add("lld", b.lld.ID)
	h.Add("flags", strings.Join(linkFlags(), " "))
	h.Add("drop", fmt.Sprint(b.DropSymbols, b.DropDebug))
	h.Add("startup", b.startupText(main, rt, units))
	h.Add("note", b.IDs.key())
	if !b.Load.TrimPath {
		h.Add("roots", fmt.Sprint(b.Load.Roots()))
	}
	for _, n := range units {
		h.Add(n.pkg.ImportPath, strings.Join(n.rec.Objects, " ")+" "+n.rec.Reach)
	}
	return h.Sum()
}

// link makes a static program out of units (the closure of main and of the runtime) and
// moves it to out when it is whole, unless out is that program already. Without out the program is
// only to be seen to link; the cache remembers that.
func (b *Builder) link(main, rt *unit, units []*unit, linked map[*unit][]bool, out string) error {
	lane := b.Timeline.Lane() // tests are linked beside each other
	defer lane.Free()
	id := b.programKey(main, rt, units)
	if out == "" && !b.Rebuild && b.cache.Has(id, linksKind) {
		return nil
	}
	if out != "" && !b.Rebuild && !b.DryRun && b.IDs.Go == nil && leave(main, out, id, lane) {
		return nil
	}
	preparing := lane.Begin(main.pkg.ImportPath, "startup")
	defer preparing.End()
	startup, err := b.startup(main, rt, units, lane)
	if err != nil {
		return err
	}
	keys := []string{startup}
	add := func(units []*unit) {
		for _, n := range units {
			keys = append(keys, n.objects(linked)...)
		}
	}
	module, others := splitFIPS(units)
	if module != nil {
		start, err := b.fipsMark(main, "start", lane)
		if err != nil {
			return err
		}
		end, err := b.fipsMark(main, "end", lane)
		if err != nil {
			return err
		}
		keys = append(keys, start)
		add(module)
		keys = append(keys, end)
	}
	add(others)
	objects, err := b.objectFiles(keys)
	if err != nil {
		return err
	}
	response, err := b.intermediate(main, ".link", []byte(strings.Join(objects, "\n")+"\n"))
	if err != nil {
		return err
	}
	if b.work == "" {
		defer os.Remove(response)
	}
	// Made in the cache, an interrupted build leaves nothing in the user's directories.
	made, err := b.cache.Temp("")
	if err != nil {
		return err
	}
	defer os.Remove(made)
	args := append(linkFlags(), "--build-id="+b.IDs.note(id))
	if len(b.LinkVars) > 0 {
		// The startup object comes first, so its definitions win over the packages' own.
		args = append(args, "-z", "muldefs")
	}
	args = append(args, "-o", made, "@"+response)
	if b.DryRun {
		b.show(main, b.lld.Path, args...)
		b.show(main, "mv", made, out)
		return nil
	}
	b.print.start()
	b.print.begin("linking " + main.pkg.ImportPath)
	defer b.print.clear()
	preparing.End()
	linking := lane.Begin(main.pkg.ImportPath, "link")
	linking.Note("%d objects", len(objects))
	defer linking.End()
	if err := b.runLinker(main, args, linking); err != nil {
		if diskFull(err) {
			return fmt.Errorf("linking %s in %s: %w", main.pkg.ImportPath, filepath.Dir(made), syscall.ENOSPC)
		}
		err = linkError(main, err)
		if fault, ok := err.(*Diagnostic); ok && strings.Contains(fault.Text, mainMissing) && !byFiles(main.pkg) {
			fault.Text = strings.Join(append([]string{fault.Text}, b.Load.CgoFiles(main.pkg.Dir)...), "\n")
		}
		return err
	}
	if !hasHead(made, programHeads[:1]) {
		return fmt.Errorf("%s ended without an error, but wrote no program", b.lld.Path)
	}
	if module != nil {
		if err := sealFIPS(made); err != nil {
			return err
		}
	}
	if out == "" {
		return b.cache.Write(id, linksKind, nil)
	}
	if b.IDs.Go == nil {
		if err := sealID(made, id); err != nil {
			return err
		}
	}
	linking.End()
	finishing := lane.Begin(main.pkg.ImportPath, "finish")
	options := finish.Options{Real: b.Load.Roots().Real, DropSymbols: b.DropSymbols, DropDebug: b.DropDebug}
	if err := finish.Program(made, options); err != nil {
		return err
	}
	finishing.End()
	if b.Commands {
		b.show(main, "mv", made, out)
	}
	defer lane.Begin(main.pkg.ImportPath, "install").End()
	return InstallProgram(made, out)
}

// byFiles tells whether a package is files that were named one by one: nothing is left out of it.
func byFiles(p *load.Package) bool { return p.ImportPath == "command-line-arguments" }

// linksKind is the kind of empty files by the keys of programs that were seen to link.
const linksKind = "links"

// objectFiles returns the files of objects, which the cache must have.
func (b *Builder) objectFiles(keys []string) ([]string, error) {
	files := make([]string, len(keys))
	faults := make([]error, len(keys))
	pool := newPool(b.Parallel)
	for i, key := range keys {
		if b.DryRun {
			files[i] = b.cache.Path(key, "o")
			continue
		}
		pool.do(0, func() { files[i], faults[i] = b.cache.File(key, "o") })
	}
	pool.wait()
	return files, errors.Join(faults...)
}

// linkFlags: no libc, no relocations left, dead sections dropped. The collector's bounds of
// the data and bss sections are computed here; pointer-free globals lie outside them.
func linkFlags() []string {
	return []string{"-static", "-nostdlib", "--gc-sections",
		"-z", "start-stop-gc", // bounds of a section do not keep what is in it
		"-z", "noexecstack",
		"-e", "loam.start",
		"--defsym=__morestack_non_split=__morestack", // lld wants it to exist; nothing is switched to it
		"--defsym=internal/fuzz._counters=__start___sancov_cntrs", "--defsym=internal/fuzz._ecounters=__stop___sancov_cntrs",
		"--defsym=__sanitizer_cov_8bit_counters_init=0",
		"--defsym=loam.data_start=ADDR(.data)", "--defsym=loam.data_end=ADDR(.data)+SIZEOF(.data)",
		"--defsym=loam.bss_start=ADDR(.bss)", "--defsym=loam.bss_end=ADDR(.bss)+SIZEOF(.bss)"}
}

var undefinedSymbol = regexp.MustCompile(`(?m)^ld\.lld[^:]*: error: undefined symbol: (.*)$`)

const mainMissing = "runtime.main_main·f: function main is undeclared in the main package"

// linkError says in Go's terms what the linker missed: a symbol that is used and that no
// package defines is a function (or variable) whose body is assembly or C.
func linkError(main *unit, err error) error {
	var te *toolError
	if !errors.As(err, &te) {
		return err
	}
	found := undefinedSymbol.FindAllStringSubmatchIndex(te.output, -1)
	if len(found) == 0 {
		return fmt.Errorf("linking %s: %w", main.pkg.ImportPath, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s", main.pkg.ImportPath)
	for i, m := range found {
		if i == maxUndefined {
			fmt.Fprintf(&b, "\ntoo many errors")
			break
		}
		if name := te.output[m[2]:m[3]]; name == "main.main" {
			b.WriteString("\n" + mainMissing)
			continue
		}
		fmt.Fprintf(&b, "\nmissing function body: %s", te.output[m[2]:m[3]])
		end := len(te.output)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		if by := referencedBy(te.output[m[1]:end]); by != "" {
			fmt.Fprintf(&b, " (used by %s)", by)
		}
	}
	return &Diagnostic{b.String()}
}

// Diagnostic is an error in the user's program that has its final form, headline included.
type Diagnostic struct{ Text string }

func (d *Diagnostic) Error() string { return d.Text }

const maxUndefined = 20

var sectionName = regexp.MustCompile(`>>> [^\n]*\.o:\((?:function )?([^\n]*?)(?:\+0x[0-9a-fA-F]+)?\)\n`)

func referencedBy(text string) string {
	m := sectionName.FindStringSubmatch(text + "\n")
	if m == nil {
		return ""
	}
	return strings.TrimPrefix(m[1], ".text.")
}

// initOrder returns the packages whose initialisers run, in the order that the language
// specifies: sorted by import path, always the first one whose imports are done. The
// runtime and what it imports come before everything else. Packages that have nothing to
// initialise, neither themselves nor below, take no part in the order.
func initOrder(main, rt *unit, units []*unit) []*unit {
	takesPart := map[*unit]bool{}
	for _, n := range units { // dependencies first
		part := n.rec.HasInit
		for _, d := range n.deps {
			part = part || takesPart[d]
		}
		takesPart[n] = part
	}
	done := map[*unit]bool{}
	var order []*unit
	schedule := func(root *unit) {
		waiting := map[*unit]int{}
		users := map[*unit][]*unit{}
		var ready unitHeap
		var visit func(*unit)
		visit = func(n *unit) {
			if _, seen := waiting[n]; seen || done[n] || !takesPart[n] {
				return
			}
			waiting[n] = 0
			for _, d := range n.deps {
				if takesPart[d] && !done[d] {
					visit(d)
					waiting[n]++
					users[d] = append(users[d], n)
				}
			}
			if waiting[n] == 0 {
				heap.Push(&ready, n)
			}
		}
		visit(root)
		for ready.Len() > 0 {
			n := heap.Pop(&ready).(*unit)
			done[n] = true
			if n.rec.HasInit {
				order = append(order, n)
			}
			for _, u := range users[n] {
				if waiting[u]--; waiting[u] == 0 {
					heap.Push(&ready, u)
				}
			}
		}
	}
	schedule(rt)
	schedule(main)
	return order
}

// unitHeap is a heap of units by import path.
type unitHeap []*unit

func (h unitHeap) Len() int           { return len(h) }
func (h unitHeap) Less(i, j int) bool { return h[i].pkg.Path() < h[j].pkg.Path() }
func (h unitHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *unitHeap) Push(x any)        { *h = append(*h, x.(*unit)) }
func (h *unitHeap) Pop() any {
	old := *h
	n := old[len(old)-1]
	*h = old[:len(old)-1]
	return n
}

// initTaskSize is the size of what the run-time system is told of a package's initialiser.
const initTaskSize = 16

// startupText is the assembly text that only the link knows enough to write: the list of
// initialisers and what the program says about its build.
func (b *Builder) startupText(main, rt *unit, units []*unit) string {
	var s strings.Builder
	order := initOrder(main, rt, units)
	fmt.Fprintf(&s, "\t.section .rodata.loam.startup,\"a\",@progbits\n\t.balign 8\n")
	fmt.Fprintf(&s, "\t.globl \"loam.inittasks\"\n\"loam.inittasks\":\n")
	for i := range order {
		fmt.Fprintf(&s, "\t.quad 8f+%d\n", initTaskSize*i)
	}
	fmt.Fprintf(&s, "\t.globl \"loam.ninittasks\"\n\"loam.ninittasks\":\n\t.quad %d\n", len(order))
	fmt.Fprintf(&s, "\t.section .data.loam.inittasks,\"aw\",@progbits\n\t.balign 8\n8:\n")
	for _, n := range order { // overlay/runtime/main.go has the type
		fmt.Fprintf(&s, "\t.long 0, 1\n\t.quad %q\n", importpath.Prefix(load.TypePath(n.pkg))+".init")
	}
	fmt.Fprintf(&s, "\t.section .rodata.loam.startup,\"a\",@progbits\n\t.balign 8\n")
	info := b.modInfo(main, units)
	goroot := b.Load.GOROOT
	if b.Load.TrimPath {
		goroot = ""
	}
	fmt.Fprintf(&s, "\t.globl \"loam.modinfo\"\n\"loam.modinfo\":\n\t.quad 1f\n\t.quad %d\n1:%s\n", len(info), asmBytes(info))
	for i, v := range []struct{ name, value string }{{"loam.goversion", b.Load.FullVersion()}, {"loam.goroot", goroot}, {"loam.godebug", main.pkg.DefaultGODEBUG}} {
		fmt.Fprintf(&s, "\t.balign 8\n\t.globl %q\n%q:\n\t.quad %df\n\t.quad %d\n%d:%s\n", v.name, v.name, 4+i, len(v.value), 4+i, asmBytes(v.value))
	}
	// Where the table of functions and lines is (internal/finish sets it).
	fmt.Fprintf(&s, "\t.section loam_table_at,\"aR\",@progbits\n\t.balign 8\n\t.globl \"loam.table\"\n\"loam.table\":\n\t.zero 16\n")
	// One empty entry each, so that the sections exist (overlay/runtime/cleanup.go, staticmap.go).
	fmt.Fprintf(&s, "\t.section loam_captures,\"aR\",@progbits\n\t.balign 8\n\t.zero 16\n")
	fmt.Fprintf(&s, "\t.section loam_staticmaps,\"aR\",@progbits\n\t.balign 8\n\t.zero 48\n")
	// The same for counters of coverage and of fuzzing. The latter's constructors, which would
	// register them, never run.
	fmt.Fprintf(&s, "\t.section loam_covctrs,\"awR\",@progbits\n\t.balign 16\n\t.zero 16\n")
	fmt.Fprintf(&s, "\t.section __sancov_cntrs,\"awR\",@progbits\n\t.zero 1\n")
	// The data and bss sections always exist, because their bounds are taken.
	fmt.Fprintf(&s, "\t.section .data.loam,\"awR\",@progbits\n\t.balign 16\n\t.zero 16\n")
	fmt.Fprintf(&s, "\t.section .bss.loam,\"awR\",@nobits\n\t.balign 16\n\t.zero 16\n")
	for i, name := range sortedKeys(b.LinkVars) {
		text := b.LinkVars[name]
		fmt.Fprintf(&s, "\t.section .rodata.loam.x%d,\"a\",@progbits\n3:%s\n", i, asmBytes(text))
		fmt.Fprintf(&s, "\t.section .data.loam.x%d,\"aw\",@progbits\n\t.balign 8\n\t.globl %q\n%q:\n\t.quad 3b\n\t.quad %d\n", i, name, name, len(text))
	}
	// What `go version -m` reads: a magic number, flags "strings inline", two strings.
	fmt.Fprintf(&s, "\t.section .go.buildinfo,\"awR\",@progbits\n\t.balign 16\n%s\n",
		asmBytes("\xff Go buildinf:\x08\x02"+strings.Repeat("\x00", 16)+prefixed(b.Load.FullVersion())+prefixed(info)))
	if module, _ := splitFIPS(units); module != nil {
		s.WriteString(fipsInfoText())
	}
	s.WriteString(debugUnit(b.Load.FullVersion()))
	s.WriteString(b.IDs.idNote())
	s.WriteString(splitStackNote)
	return s.String()
}

// startup makes the object of startupText and returns its key.
func (b *Builder) startup(main, rt *unit, units []*unit, lane *timeline.Lane) (string, error) {
	return b.asmObject(main, "startup", b.startupText(main, rt, units), lane)
}

// asmObject makes the object of an assembly text and returns its key; the name is for -work.
func (b *Builder) asmObject(main *unit, name, text string, lane *timeline.Lane) (string, error) {
	h := store.NewHasher("startup")
	h.Add("clang", b.clang.ID)
	h.Add("text", text)
	key := h.Sum()
	if b.cache.Has(key, "o") {
		return key, nil
	}
	name, err := b.intermediate(main, "."+name+".s", []byte(text))
	if err != nil {
		return "", err
	}
	if b.work == "" {
		defer os.Remove(name)
	}
	assembling := lane.Begin(main.pkg.ImportPath, "assemble")
	defer assembling.End()
	return key, b.compileTo(main, key, append(b.asmFlags(""), "-x", "assembler", name), assembling)
}

// prefixed is s after its length as a varint.
func prefixed(s string) string {
	return string(binary.AppendUvarint(nil, uint64(len(s)))) + s
}

func asmBytes(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if i%32 == 0 {
			b.WriteString("\n\t.byte ")
		} else {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%d", s[i])
	}
	return b.String()
}

// Marks before and after the module text; readers of a program skip 16 bytes on each side.
const (
	modInfoStart = "\x30\x77\xaf\x0c\x92\x74\x08\x02\x41\xe1\xc1\x07\xe6\xd6\x18\xe6"
	modInfoEnd   = "\xf9\x32\x43\x31\x86\x18\x20\x72\x00\x82\x42\x10\x41\x16\xd8\xf2"
)

// modInfo is what runtime/debug.ReadBuildInfo parses: the main package, the modules and the
// settings of the build.
func (b *Builder) modInfo(main *unit, units []*unit) string {
	var s strings.Builder
	told := main.pkg.Tells
	if told == nil {
		told = &load.Told{Path: main.pkg.Path()}
		for _, n := range units {
			told.Modules = append(told.Modules, n.pkg.Module)
		}
	}
	fmt.Fprintf(&s, "path\t%s\n", told.Path)
	module := func(kind string, m *load.Module) {
		line := func(kind string, m *load.Module) {
			version := m.Version
			if m == main.pkg.Module && version == "" {
				version = main.pkg.StampVersion
			}
			if version == "" {
				version = "(devel)"
			}
			fmt.Fprintf(&s, "%s\t%s\t%s", kind, m.Path, version)
			if m.Replace == nil {
				fmt.Fprintf(&s, "\t%s", m.Sum)
			}
			s.WriteByte('\n')
		}
		line(kind, m)
		if m.Replace != nil {
			line("=>", m.Replace)
		}
	}
	if m := main.pkg.Module; m != nil {
		module("mod", m)
	}
	deps := map[string]*load.Module{}
	for _, m := range told.Modules {
		if m != nil && (main.pkg.Module == nil || m.Path != main.pkg.Module.Path) {
			deps[m.Path] = m
		}
	}
	for _, path := range sortedKeys(deps) {
		module("dep", deps[path])
	}
	settings := slices.Concat([][2]string{{"-buildmode", "exe"}, {"-compiler", "loam"}}, b.Settings)
	// From Go 1.27 on what a test says of its build is made without regard to profiles.
	if main.profile != "" && !(strings.HasSuffix(main.pkg.ImportPath, ".test") && b.since("go1.27")) {
		settings = append(settings, [2]string{"-pgo", b.profileSetting(main.profile)})
	}
	slices.SortStableFunc(settings, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	if main.pkg.DefaultGODEBUG != "" {
		settings = append(settings, [2]string{"DefaultGODEBUG", main.pkg.DefaultGODEBUG})
	}
	settings = append(settings, [2]string{"CGO_ENABLED", "0"}, [2]string{"GOARCH", "amd64"})
	if e := b.Load.Experiments; e != "" {
		settings = append(settings, [2]string{"GOEXPERIMENT", e})
	}
	settings = append(settings, [2]string{"GOOS", "linux"}, [2]string{"GOAMD64", target.Level()})
	for _, kv := range append(settings, main.pkg.Stamp...) {
		value := kv[1]
		if strings.ContainsAny(value, " \t\r\n\"`") {
			value = strconv.Quote(value)
		}
		fmt.Fprintf(&s, "build\t%s=%s\n", kv[0], value)
	}
	return modInfoStart + s.String() + modInfoEnd
}
