// Package pgo reads CPU profiles for the compiler: which calls are hot, and what they reach.
//
// A profile is of an earlier build, of gc's or of Loam's, whose source may have changed since. So a
// call is found by what an edit elsewhere leaves alone: the function that it is in, by its name,
// and how many lines below that function's first one it is. Both compilers write what is inlined as
// frames of their own, so a call counts for the function whose source it is in, whatever that was
// inlined into.
//
// A call site and one callee of it are an edge, whose weight is that of all samples which have it
// on their stacks. Hot are the heaviest edges that together have 99 % of the weight of all. That is
// gc's measure, so that the same profile means the same to both.
package pgo

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// hotPercent is the part of all weight that the hot edges have.
const hotPercent = 99

// Profile is what a CPU profile says of calls. A nil one says nothing.
type Profile struct {
	hot map[Site][]Callee // of sites with a hot edge: all callees, the heaviest first
	// lines of the digest, by caller. Shares are coarse, as profiles of one program differ a little.
	lines []string
	known map[string]bool // the callees of hot edges
	names []string        // the same, sorted
}

// Site is where a function calls something.
type Site struct {
	Caller string
	Offset int // in lines, from the caller's first one
}

// Callee is what is called at a site.
type Callee struct {
	Name  string
	Share int // of the site's weight, in tenths
	Hot   bool
}

// Callees returns what the calls at a site reach, by descending share: nothing if none is hot.
func (p *Profile) Callees(s Site) []Callee {
	if p == nil {
		return nil
	}
	return p.hot[s]
}

// Hot reports whether the call of a function at a site is hot.
func (p *Profile) Hot(s Site, callee string) bool {
	return slices.ContainsFunc(p.Callees(s), func(c Callee) bool { return c.Hot && c.Name == callee })
}

// HotCallee reports whether a hot call reaches the function.
func (p *Profile) HotCallee(name string) bool { return p != nil && p.known[name] }

// Reached is what hot calls reach in the package of that path, as symbols have it.
func (p *Profile) Reached(path string) (list []string) {
	if p == nil {
		return nil
	}
	for i, _ := slices.BinarySearch(p.names, path); i < len(p.names) && strings.HasPrefix(p.names[i], path); i++ {
		if in(path, p.names[i]) {
			list = append(list, p.names[i])
		}
	}
	return list
}

// Name is the name that profiles have for fd, which is declared in the package of that path, as
// symbols have it, and is not generic.
func Name(path string, fd *ast.FuncDecl) string {
	if fd.Recv == nil || len(fd.Recv.List) != 1 {
		return path + "." + fd.Name.Name
	}
	recv := ast.Unparen(fd.Recv.List[0].Type)
	format := "%s.%s.%s"
	if star, ok := recv.(*ast.StarExpr); ok {
		recv, format = ast.Unparen(star.X), "%s.(*%s).%s"
	}
	id, ok := recv.(*ast.Ident)
	if !ok {
		return ""
	}
	return fmt.Sprintf(format, path, id.Name, fd.Name.Name)
}

// Digest is what may matter to the code of packages, by their paths as symbols have them: what
// their functions call, which of them hot calls reach, and what instances of generic functions
// call, of which each package that uses them makes its own copy. It is "" if that is nothing.
func (p *Profile) Digest(paths []string) string {
	if p == nil {
		return ""
	}
	var about strings.Builder
	for _, line := range p.lines {
		if strings.Contains(line[:strings.IndexByte(line, '\t')], "[") ||
			slices.ContainsFunc(paths, func(path string) bool { return in(path, line) }) {
			about.WriteString(line)
		}
	}
	for _, path := range paths {
		for _, name := range p.Reached(path) {
			about.WriteString(name + "\n")
		}
	}
	if about.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(about.String())))
}

// in reports whether the name that text begins with is of something in the package of that path: no
// other dot follows a slash.
func in(path, text string) bool {
	rest, ok := strings.CutPrefix(text, path)
	return ok && strings.HasPrefix(rest, ".")
}

// Error is a profile that cannot be read, in the go command's words.
type Error struct {
	File string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("# %s\npreprofile: %v", e.File, e.Err) }

// Read reads the profile in a file.
func Read(name string) (*Profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, &Error{name, fmt.Errorf("error opening profile: %w", err)}
	}
	defer f.Close()
	p, err := Parse(f)
	if err != nil {
		return nil, &Error{name, fmt.Errorf("error parsing profile: %w", err)}
	}
	return p, nil
}

// Parse reads a profile, which may be compressed. An empty file is one without samples.
func Parse(r io.Reader) (*Profile, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("error parsing profile: %w", err)
	}
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		if data, err = decompress(data); err != nil {
			return nil, fmt.Errorf("error parsing profile: decompressing profile: %v", err)
		}
	}
	if len(data) == 0 {
		return new(Profile), nil
	}
	raw, err := profile.ParseUncompressed(data)
	if err != nil {
		return nil, fmt.Errorf("error parsing profile: parsing profile: %w", err)
	}
	if err := raw.CheckValid(); err != nil {
		return nil, fmt.Errorf("error parsing profile: malformed profile: %v", err)
	}
	if len(raw.Sample) == 0 {
		return new(Profile), nil
	}
	index := slices.IndexFunc(raw.SampleType, func(t *profile.ValueType) bool {
		return t.Type == "samples" && t.Unit == "count" || t.Type == "cpu" && t.Unit == "nanoseconds"
	})
	if index < 0 {
		return nil, errors.New(`profile does not contain a sample index with value/type "samples/count" or cpu/nanoseconds"`)
	}
	if !slices.ContainsFunc(raw.Function, func(f *profile.Function) bool { return f.StartLine != 0 }) {
		return nil, errors.New("profile missing Function.start_line data (Go version of profiled application too old? Go 1.20+ automatically adds this to profiles)")
	}
	return weigh(edges(raw, index)), nil
}

func decompress(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// edge is a call of one function at one place.
type edge struct {
	Site
	callee string
}

// edges sums up the samples' values of that index by edge. A sample counts once for an edge,
// however often a recursion takes it.
func edges(raw *profile.Profile, index int) map[edge]int64 {
	weight := map[edge]int64{}
	for _, s := range raw.Sample {
		seen := map[edge]bool{}
		callee := "" // of the frame before
		for _, l := range s.Location {
			for _, line := range l.Line { // what was inlined comes before what it was inlined into
				f := line.Function
				if f == nil {
					callee = ""
					continue
				}
				e := edge{Site{f.Name, int(line.Line - f.StartLine)}, callee}
				if callee != "" && !seen[e] {
					seen[e] = true
					weight[e] += s.Value[index]
				}
				callee = f.Name
			}
		}
	}
	return weight
}

// weigh finds the hot edges.
func weigh(weight map[edge]int64) *Profile {
	list := make([]edge, 0, len(weight))
	total := int64(0)
	for e, n := range weight {
		list = append(list, e)
		total += n
	}
	slices.SortFunc(list, func(a, b edge) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), strings.Compare(a.Caller, b.Caller),
			strings.Compare(a.callee, b.callee), a.Offset-b.Offset)
	})
	p := &Profile{hot: map[Site][]Callee{}, known: map[string]bool{}}
	sum := int64(0)
	sites := map[Site]bool{}
	hot := map[edge]bool{}
	for _, e := range list {
		if float64(sum) >= float64(total)*hotPercent/100 || weight[e] <= 0 {
			break
		}
		sum += weight[e]
		hot[e], sites[e.Site], p.known[e.callee] = true, true, true
	}
	all := map[Site]int64{}
	for _, e := range list {
		all[e.Site] += weight[e]
	}
	for _, e := range list {
		if sites[e.Site] {
			share := int((weight[e]*20/all[e.Site] + 1) / 2)
			p.hot[e.Site] = append(p.hot[e.Site], Callee{e.callee, share, hot[e]})
		}
	}
	for s, list := range p.hot {
		slices.SortFunc(list, func(a, b Callee) int { return cmp.Or(b.Share-a.Share, strings.Compare(a.Name, b.Name)) })
		p.lines = append(p.lines, fmt.Sprintf("%s\t%d %v\n", s.Caller, s.Offset, list))
	}
	slices.Sort(p.lines)
	p.names = slices.Sorted(maps.Keys(p.known))
	return p
}

// Dominant returns what most of those calls at a site reach whose callee may be the one that is
// asked about, if that is hot. Calls in one line share a site.
func (p *Profile) Dominant(s Site, may func(name string) bool) (name string, ok bool) {
	all, most := 0, Callee{}
	for _, c := range p.Callees(s) {
		if may(c.Name) {
			if all += c.Share; c.Share > most.Share {
				most = c
			}
		}
	}
	return most.Name, most.Hot && 2*most.Share > all
}
