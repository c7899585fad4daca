package main

import (
	"flag"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
	"loam/internal/lower"
)

func main() {
	only := flag.String("only", "", "")
	flag.Parse()
	cfg := &packages.Config{Mode: packages.LoadAllSyntax, Env: append(os.Environ(), "CGO_ENABLED=0"), BuildFlags: []string{"-tags=loam,purego,math_big_pure_go"}}
	pkgs, err := packages.Load(cfg, flag.Args()...)
	if err != nil {
		panic(err)
	}
	prog, _ := ssautil.AllPackages(pkgs, ssa.InstantiateGenerics)
	prog.Build()
	info := map[*types.Package]*packages.Package{}
	packages.Visit(pkgs, nil, func(p *packages.Package) { info[p.Types] = p })
	for _, p := range prog.AllPackages() {
		path := p.Pkg.Path()
		if path == "runtime" || path == "unsafe" || strings.HasPrefix(path, "runtime/") || *only != "" && path != *only {
			continue
		}
		pp := info[p.Pkg]
		t0 := time.Now()
		out, err := lower.Package(&lower.Input{Prog: prog, Pkg: p, Info: pp.TypesInfo, Files: pp.Syntax, Fset: prog.Fset, Sizes: types.SizesFor("gc", "amd64")})
		if err != nil {
			fmt.Println("FAIL", path, err)
			continue
		}
		f := "/tmp/lt/" + strings.ReplaceAll(path, "/", "_") + ".ll"
		os.MkdirAll("/tmp/lt", 0777)
		os.WriteFile(f, out.IR, 0666)
		t1 := time.Now()
		c := exec.Command("clang-19", "-O2", "-c", "-Wno-override-module", "-ffunction-sections", "-fdata-sections", "-o", strings.TrimSuffix(f, ".ll")+".o", "-x", "ir", f)
		o, err := c.CombinedOutput()
		if err != nil {
			if len(o) > 600 {
				o = o[:600]
			}
			fmt.Printf("CLANG %s: %s\n", path, o)
		} else {
			fmt.Printf("ok %s lower %v clang %v ir %dK\n", path, t1.Sub(t0).Round(time.Millisecond), time.Since(t1).Round(time.Millisecond), len(out.IR)/1024)
		}
	}
}
