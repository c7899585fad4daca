package ir

// printFunc prints what is between the braces: the entry block jumps to the first block. It returns
// the number of instructions that cost something.
func printFunc(p *printer, f *Func) (n int) {
	if f.bare {
		return printInsts(p, f.Cur.body)
	}
	p.put("entry:\n")
	n = printInsts(p, f.entry.body)
	p.put("  br label %")
	f.blocks[0].printLabel(p)
	p.put("\n")
	for _, k := range f.blocks {
		k.printLabel(p)
		p.put(":\n")
		for _, list := range k.lists() {
			n += printInsts(p, list)
		}
		if !k.Done {
			p.put("  unreachable\n")
			n++
		}
	}
	return n
}

func printInsts(p *printer, list []Inst) (n int) {
	for i := range list {
		p.put("  ")
		list[i].print(p)
		p.put("\n")
		if list[i].op.makesCode() {
			n++
		}
	}
	return n
}

// print spells the instruction.
func (in *Inst) print(p *printer) {
	if in.result.IsSet() {
		in.result.print(p)
		p.put(" = ")
	}
	if in.op == Call && in.call != nil && in.call.Tail {
		p.put("tail ")
	}
	p.put(in.op.String())
	switch in.op {
	case Load, Store, AtomicRMW, CmpXchg:
		in.printAccess(p)
	case Call, CallBr:
		in.printCall(p)
	case Br, CondBr, Switch, Ret, Unreachable:
		in.printEnd(p)
	case Phi:
		p.put(" ")
		in.result.Type.print(p)
		for i, v := range in.args {
			if i > 0 {
				p.put(",")
			}
			p.put(" [ ")
			v.print(p)
			p.put(", %")
			in.to[i].printLabel(p)
			p.put(" ]")
		}
	case Alloca:
		p.put(" ")
		in.typ.print(p)
		printAlign(p, in.access.Align)
	case DbgDeclare:
		p.put("(")
		in.args[0].printTyped(p)
		p.put(", ")
		p.meta(in.about)
		p.put(", !DIExpression(")
		p.put(in.word)
		p.put("), ")
		p.meta(in.loc)
		p.put(")")
		return
	default:
		in.printPure(p)
	}
	if in.about != 0 {
		p.put(", !prof ")
		p.meta(in.about)
	}
	if in.loc != 0 {
		p.put(", !dbg ")
		p.meta(in.loc)
	}
}

// printPure spells what follows the name of an instruction that computes and does nothing else.
func (in *Inst) printPure(p *printer) {
	p.put(" ")
	if in.word != "" {
		p.put(in.word)
		p.put(" ")
	}
	switch {
	case in.op.isBinary(), in.op == ICmp, in.op == FCmp:
		in.args[0].printTyped(p)
		p.put(", ")
		in.args[1].print(p)
		return
	case in.op.isCast():
		in.args[0].printTyped(p)
		p.put(" to ")
		in.typ.print(p)
		return
	case in.op == GetElementPtr:
		in.typ.print(p)
		p.put(", ")
	}
	printList(p, in.args)
	for _, i := range in.path {
		p.put(", ")
		p.int(int64(i))
	}
}

func printList(p *printer, list []Value) {
	for i, v := range list {
		if i > 0 {
			p.put(", ")
		}
		v.printTyped(p)
	}
}

func printAlign(p *printer, align int64) {
	if align == 0 {
		return
	}
	p.put(", align ")
	p.int(align)
}

// printAccess spells what follows the name of an instruction that accesses memory.
func (in *Inst) printAccess(p *printer) {
	how := in.access
	if how.Ordering != NotAtomic && (in.op == Load || in.op == Store) {
		p.put(" atomic")
	}
	if how.Volatile {
		p.put(" volatile")
	}
	p.put(" ")
	switch in.op {
	case Load:
		in.typ.print(p)
		p.put(", ")
	case AtomicRMW:
		p.put(in.word)
		p.put(" ")
	}
	printList(p, in.args)
	if how.Ordering != NotAtomic {
		p.put(" ")
		p.put(orderings[how.Ordering])
		if in.op == CmpXchg {
			p.put(" ")
			p.put(orderings[how.Ordering])
		}
	}
	printAlign(p, how.Align)
	if how.Invariant != 0 {
		p.put(", !invariant.load ")
		p.meta(how.Invariant)
	}
	if how.Within != 0 {
		p.put(", !alias.scope ")
		p.meta(how.Within)
	}
	printApart(p, how.Apart)
}

func printApart(p *printer, scope Meta) {
	if scope != 0 {
		p.put(", !noalias ")
		p.meta(scope)
	}
}

// printCall spells a call behind the word, with all that it has.
func (in *Inst) printCall(p *printer) {
	args, call := in.args, in.call
	if call == nil {
		call = &CallInfo{}
	}
	p.put(" ")
	if call.Saves {
		p.put(saves)
	}
	in.typ.print(p)
	p.put(" ")
	if asm := call.Asm; asm != nil {
		p.put("asm ")
		if asm.HasSideEffects {
			p.put("sideeffect ")
		}
		p.put("\"")
		p.put(asm.Text)
		p.put(`", "`)
		p.put(asm.Constraints)
		p.put("\"")
	} else {
		args[0].print(p)
		args = args[1:]
	}
	p.put("(")
	for i, v := range args {
		if i > 0 {
			p.put(", ")
		}
		if call.Params == nil {
			v.printTyped(p)
			continue
		}
		v.Type.print(p)
		call.Params[i].print(p)
		p.put(" ")
		v.print(p)
	}
	p.put(")")
	if call.Group != 0 {
		p.put(" ")
		call.Group.print(p)
	}
	if call.NoMerge {
		p.put(" nomerge")
	}
	if call.NoInline {
		p.put(" noinline")
	}
	if in.op == CallBr {
		p.put(" to label %")
		in.to[0].printLabel(p)
		p.put(" [label %")
		in.to[1].printLabel(p)
		p.put("]")
	}
	printApart(p, call.Apart)
}

func (g Group) print(p *printer) {
	p.put("#")
	p.int(int64(g - 1))
}

func (a ParamAttr) print(p *printer) {
	for _, word := range [...]struct {
		has  bool
		text string
	}{{a.Nest, " nest"}, {a.NoAlias, " noalias"}, {a.NoCapture, " nocapture"}, {a.ReadOnly, " readonly"}} {
		if word.has {
			p.put(word.text)
		}
	}
	if a.Align != 0 {
		p.put(" align ")
		p.int(a.Align)
	}
}

// printEnd spells a terminator behind its name.
func (in *Inst) printEnd(p *printer) {
	switch in.op {
	case Unreachable:
		return
	case Ret:
		p.put(" ")
		if len(in.args) == 0 {
			p.put("void")
			return
		}
		in.args[0].printTyped(p)
		return
	case Switch:
		p.put(" ")
		in.args[0].printTyped(p)
		p.put(", label %")
		in.to[0].printLabel(p)
		p.put(" [")
		for i, v := range in.args[1:] {
			p.put(" ")
			v.printTyped(p)
			p.put(", label %")
			in.to[i+1].printLabel(p)
		}
		p.put(" ]")
		return
	}
	p.put(" ")
	if in.op == CondBr {
		in.args[0].printTyped(p)
		p.put(", ")
	}
	for i, to := range in.to {
		if i > 0 {
			p.put(", ")
		}
		p.put("label %")
		to.printLabel(p)
	}
}
