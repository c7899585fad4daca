package ir

import "strings"

// A Global is a function, a variable or a constant.
type Global struct {
	name   string
	stem   string // of names that are numbered: all but the number
	number int32  // in the module
	ref    ref    // what its address refers to

	def   *Definition
	size  int  // of the definition's text
	plain bool // the definition spells the name without quotes
	decl  *Declaration
}

// Name is the name of the symbol.
func (g *Global) Name() string { return g.name }

// Stem is what the module numbers, if the name is one that it made up with a number; otherwise "".
func (g *Global) Stem() string { return g.stem }

// Def is the definition, nil if the module has none.
func (g *Global) Def() *Definition { return g.def }

// Size is how long the definition is in the module's text, which Text has made.
func (g *Global) Size() int { return g.size }

// Spell spells the name: without quotes if it is plain.
func (g *Global) Spell(plain bool) string {
	if plain {
		return g.name
	}
	return Name(g.name)
}

// Intrinsic reports whether the module means a function of LLVM's own, not one of a package of that
// path.
func (g *Global) Intrinsic() bool {
	return g.decl != nil && g.decl.plain && strings.HasPrefix(g.name, "llvm.")
}

// Linkage says who else may have the same symbol.
type Linkage uint8

// Linkages.
const (
	External            Linkage = iota
	Private                     // not even in the object's symbol table
	Internal                    // local to the object
	LinkOnce                    // one of equal ones stays, if anybody refers to it
	WeakODR                     // one of equal ones stays
	Weak                        // stays if nobody else has one
	AvailableExternally         // another object has it; it is there to be looked into
	ExternWeak                  // null if no object has it
	Appending                   // those of all objects become one
)

var linkages = [...]string{Private: "private ", Internal: "internal ", LinkOnce: "linkonce_odr ", WeakODR: "weak_odr ", Weak: "weak ",
	AvailableExternally: "available_externally ", ExternWeak: "extern_weak ", Appending: "appending "}

// Definition is what a module says of a global of its own.
type Definition struct {
	Linkage     Linkage
	Hidden      bool // within the program
	UnnamedAddr bool // its address means nothing
	Section     string
	Comdat      *Comdat
	Align       int64 // 0: that of the type
	Dbg         Meta

	// A variable or constant.
	Const      bool
	Init       Value // none: Type says what it is
	Type       *Type // of Init, if there is none
	Associated Meta  // an AddressNode: the linker keeps or drops it together with that

	Func *FuncDef // a function
}

// FuncDef is what there is of functions only.
type FuncDef struct {
	Ret          *Type
	Params       []Parameter
	Group        Group
	Clear        string // attributes of functions whose frames are cleared
	NoInline     bool
	AlwaysInline bool
	OptNone      bool
	Small        bool // its size counts, not its speed
	Forwards     bool // it jumps to what it refers to, which is never inlined in it
	File         Meta // where it is in the source
	Line         int
	Body         *Func

	body   recording
	instrs int
	names  []string
}

// Mentioned are the names that the function's code stands for, sorted.
func (f *FuncDef) Mentioned() []string { return f.names }

// Local reports whether no other object can refer to it.
func (d *Definition) Local() bool { return d.Linkage == Private || d.Linkage == Internal }

// Instrs is how many instructions the function has that cost something.
func (f *FuncDef) Instrs() int { return f.instrs }

// A Comdat is a group of sections that the linker keeps or drops together.
type Comdat struct {
	name         string
	plain        bool
	made         bool
	noDuplicates bool // there is only one, in one object
}

// Declaration is what a module says of a global that another defines.
type Declaration struct {
	plain  bool
	Const  bool
	Type   *Type // of a variable, nil of a function
	Align  int64
	Ret    *Type
	Params []DeclaredParam
	Attrs  []string // of the result: noalias
	Group  Group    // 0: none
	Memory string   // what it accesses, if that is known
	Saves  bool     // all registers for numbers but r11, so calls say it as well
}

// saves is the convention of functions that save registers.
const saves = "preserve_mostcc "

// DeclaredParam is a parameter of a declaration.
type DeclaredParam struct {
	Type *Type
	ParamAttr
	Immediate bool // a constant
}

// signature prints a function's first line up to the parameters' end.
func (p *printer) signature(g *Global, f *FuncDef) {
	f.Ret.print(p)
	p.put(" ")
	p.global(g, g.plain)
	p.put("(")
	for i, x := range f.Params {
		if i > 0 {
			p.put(", ")
		}
		x.print(p)
	}
	p.put(") ")
	f.Group.print(p)
}

// attributes prints those of a function that are not in its group.
func (f *FuncDef) attributes(p *printer) {
	if f.Clear != "" {
		p.put(" " + f.Clear)
	}
	for _, word := range [...]struct {
		has  bool
		text string
	}{{f.NoInline, " noinline"}, {f.AlwaysInline, " alwaysinline"}, {f.OptNone, " optnone"}, {f.Small, " minsize optsize"}} {
		if word.has {
			p.put(word.text)
		}
	}
}

func (p *printer) linkage(l Linkage, hidden bool) {
	p.put(linkages[l])
	if l != Appending && l != ExternWeak {
		p.put(p.local)
	}
	if hidden {
		p.put("hidden ")
	}
}

// place prints where the linker puts a definition; sep is before each part.
func (d *Definition) place(p *printer, g *Global, sep string) {
	if d.Section != "" {
		p.put(sep + `section "` + d.Section + `"`)
	}
	if c := d.Comdat; c != nil {
		p.put(sep + "comdat")
		if c.name != g.name {
			p.put("(")
			p.put(c.spell())
			p.put(")")
		}
	}
	if d.Align != 0 {
		p.put(sep + "align ")
		p.int(d.Align)
	}
}

func (c *Comdat) spell() string {
	if c.plain {
		return "$" + c.name
	}
	return "$" + Name(c.name)
}

// variable prints a variable's line up to its type.
func (p *printer) variable(g *Global, l Linkage, hidden, unnamed bool) {
	d := g.def
	p.global(g, g.plain)
	p.put(" = ")
	p.linkage(l, hidden)
	if unnamed {
		p.put("unnamed_addr ")
	}
	p.kind(d.Const)
	d.typ().print(p)
}

func (p *printer) kind(constant bool) {
	if constant {
		p.put("constant ")
		return
	}
	p.put("global ")
}

func (d *Definition) typ() *Type {
	if d.Init.IsSet() {
		return d.Init.Type
	}
	return d.Type
}

// declaration prints what the module says of a global that it does not define.
func (p *printer) declaration(g *Global) {
	d := g.decl
	if d.Type != nil {
		p.global(g, d.plain)
		p.put(" = external ")
		p.put(p.local)
		p.kind(d.Const)
		d.Type.print(p)
		if d.Align != 0 {
			p.put(", align ")
			p.int(d.Align)
		}
		p.put("\n")
		return
	}
	p.put("declare ")
	if !g.Intrinsic() {
		p.put(p.local)
	}
	if d.Saves {
		p.put(saves)
	}
	for _, word := range d.Attrs {
		p.put(word + " ")
	}
	d.Ret.print(p)
	p.put(" ")
	p.global(g, d.plain)
	p.put("(")
	for i, x := range d.Params {
		if i > 0 {
			p.put(", ")
		}
		x.Type.print(p)
		x.ParamAttr.print(p)
		if x.Immediate {
			p.put(" immarg")
		}
	}
	p.put(")")
	if d.Group != 0 {
		p.put(" ")
		d.Group.print(p)
	}
	if d.Memory != "" {
		p.put(" memory(" + d.Memory + ")")
	}
	p.put("\n")
}

// PlainName spells the name without quotes if it needs none.
func (g *Global) PlainName() string {
	if g.plain || g.decl != nil && g.decl.plain {
		return g.name
	}
	name := Name(g.name)
	plain := name[1 : len(name)-1]
	for i := range len(plain) {
		c := plain[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '.' || c == '_' || c == '$' || c == '-' || i > 0 && '0' <= c && c <= '9') {
			return name
		}
	}
	if plain == "" {
		return name
	}
	return plain
}
