package answers

import (
	"loam/internal/load"
	"loam/internal/wire"
)

func appendSDK(b []byte, s *load.SDK) []byte {
	return wire.AppendStrings(b, []string{s.Command, s.Go, s.GOROOT, s.Version, s.ModCache, s.Experiments, s.Differences,
		s.Mod, s.Work, s.Flags})
}

func readSDK(r *wire.Reader) *load.SDK {
	l := r.Strings()
	if len(l) != 10 {
		r.Fail()
		return nil
	}
	return &load.SDK{Command: l[0], Go: l[1], GOROOT: l[2], Version: l[3], ModCache: l[4], Experiments: l[5], Differences: l[6], Mod: l[7],
		Work: l[8], Flags: l[9]}
}

// flags of a package
const (
	standard = 1 << iota
	depOnly
)

// appendPackages appends packages without errors. Modules come before them, once each.
func appendPackages(b []byte, pkgs []*load.Package) []byte {
	var list []*load.Module
	number := map[load.Module]int{}
	var add func(m *load.Module) int
	add = func(m *load.Module) int { // its number, from 1; 0 for none
		if m == nil {
			return 0
		}
		key := *m
		if key.Replace != nil {
			// The go command describes a replacement anew each time.
			add(key.Replace)
			key.Replace = list[number[*key.Replace]-1]
		}
		if number[key] == 0 {
			list = append(list, &key)
			number[key] = len(list)
		}
		return number[key]
	}
	for _, p := range pkgs {
		add(p.Module)
	}
	b = wire.AppendUint(b, len(list))
	for _, m := range list {
		main := 0
		if m.Main {
			main = 1
		}
		b = wire.AppendStrings(b, []string{m.Path, m.Version, m.GoVersion, m.Sum, m.Dir})
		b = wire.AppendUint(wire.AppendUint(b, main), add(m.Replace))
	}
	b = wire.AppendUint(b, len(pkgs))
	for _, p := range pkgs {
		flags := 0
		if p.Standard {
			flags |= standard
		}
		if p.DepOnly {
			flags |= depOnly
		}
		b = wire.AppendUint(wire.AppendUint(b, flags), add(p.Module))
		for _, s := range texts(p) {
			b = wire.AppendString(b, *s)
		}
		for _, l := range lists(p) {
			b = wire.AppendStrings(b, *l)
		}
		b = wire.AppendUint(b, len(p.ImportMap))
		for from, to := range p.ImportMap {
			b = wire.AppendString(wire.AppendString(b, from), to)
		}
	}
	return b
}

// texts are the fields of a package that are strings.
func texts(p *load.Package) []*string {
	return []*string{&p.Dir, &p.ImportPath, &p.Name, &p.ForTest, &p.Root, &p.DefaultGODEBUG}
}

// lists are the fields of a package that are lists of strings.
func lists(p *load.Package) []*[]string {
	return []*[]string{&p.GoFiles, &p.SFiles, &p.HFiles, &p.EmbedFiles, &p.TestGoFiles, &p.XTestGoFiles, &p.Imports,
		&p.GasFiles, &p.GasHeaders,
		&p.IgnoredGoFiles, &p.CgoFiles, &p.CFiles, &p.CXXFiles, &p.SysoFiles, &p.MFiles, &p.FFiles, &p.SwigFiles, &p.SwigCXXFiles,
		&p.CgoCFLAGS, &p.CgoCPPFLAGS, &p.CgoCXXFLAGS, &p.CgoLDFLAGS, &p.CgoPkgConfig}
}

// readPackages reads what appendPackages wrote about packages for an SDK of that release.
func readPackages(r *wire.Reader, release string) []*load.Package {
	modules := []*load.Module{nil}
	module := func() *load.Module {
		n := r.Uint()
		if n >= len(modules) {
			r.Fail()
			return nil
		}
		return modules[n]
	}
	for range r.Count() {
		l := r.Strings()
		if len(l) != 5 {
			r.Fail()
			return nil
		}
		m := &load.Module{Path: l[0], Version: l[1], GoVersion: l[2], Sum: l[3], Dir: l[4], Main: r.Uint() != 0}
		m.Replace = module()
		modules = append(modules, m)
	}
	var pkgs []*load.Package
	for range r.Count() {
		flags := r.Uint()
		p := &load.Package{Release: release, Standard: flags&standard != 0, DepOnly: flags&depOnly != 0, Module: module()}
		for _, s := range texts(p) {
			*s = r.String()
		}
		for _, l := range lists(p) {
			*l = r.Strings()
		}
		if n := r.Count(); n > 0 {
			p.ImportMap = make(map[string]string, n)
			for range n {
				from := r.String()
				p.ImportMap[from] = r.String()
			}
		}
		pkgs = append(pkgs, p)
	}
	return pkgs
}
