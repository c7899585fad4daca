package ir

import "strconv"

// A printer makes text. What it is told the names of globals and the numbers of metadata are
// decides how these are spelled. Without, it records where they are: that text is spelled later, in
// another module as often as it is needed.
type printer struct {
	b     []byte
	names Names
	refs  []mention
	local string // what is said of symbols that the program has itself
}

// newPrinter returns a printer of definitions and declarations, which says that the program has all
// symbols itself if local.
func newPrinter(names Names, local bool) printer {
	p := printer{names: names}
	if local {
		p.local = "dso_local "
	}
	return p
}

// Names spells what has other names in different modules.
type Names interface {
	// Global returns the name of a global as LLVM spells it, without the sign.
	Global(g *Global, plain bool) string
	// Meta returns the number of a node.
	Meta(m Meta) int
}

// A mention is a place where text refers to a global or to metadata.
type mention struct {
	at int32 // the text before it ends there
	// of a global twice its number, plus 1 if it is spelled plainly; of a node its Meta below zero
	to int32
}

// A recording is text whose references are not spelled yet.
type recording struct {
	text string
	refs []mention
}

func (p *printer) put(s string) { p.b = append(p.b, s...) }
func (p *printer) int(n int64)  { p.b = strconv.AppendInt(p.b, n, 10) }

// global prints the name of g behind a sign.
func (p *printer) global(g *Global, plain bool) {
	p.put("@")
	if p.names != nil {
		p.put(p.names.Global(g, plain))
		return
	}
	to := g.number * 2
	if plain {
		to++
	}
	p.refs = append(p.refs, mention{int32(len(p.b)), to})
}

func (p *printer) meta(m Meta) {
	p.put("!")
	if p.names != nil {
		p.int(int64(p.names.Meta(m)))
		return
	}
	p.refs = append(p.refs, mention{int32(len(p.b)), -int32(m)})
}

// taken returns what was recorded.
func (p *printer) taken() recording {
	r := recording{text: string(p.b)}
	if len(p.refs) > 0 {
		r.refs = append([]mention(nil), p.refs...)
	}
	return r
}

// text is what print prints, with the names that things have in the module itself.
func text(print func(p *printer)) string {
	p := &printer{names: ownNames{}}
	print(p)
	return string(p.b)
}

// ownNames are the names that things have in the module itself.
type ownNames struct{}

func (ownNames) Global(g *Global, plain bool) string { return g.Spell(plain) }
func (ownNames) Meta(m Meta) int                     { return int(m) - 1 }
