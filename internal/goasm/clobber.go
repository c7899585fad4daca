package goasm

import (
	"os"
	"regexp"
	"strings"
)

// Which of the registers that Loam's convention preserves a function may change: its wrapper saves
// no others. The object does not say, short of decoding its instructions; the source does, since an
// instruction changes only registers that it names, with few exceptions (CPUID, and stack checks
// that the assembler adds). Everything in doubt counts as a change.

// Preserved are the registers in question, in the order of the bits of a set of them.
var Preserved = []string{"rbx", "rbp", "r12", "r13", "r14", "r15"}

const allRegs = 1<<6 - 1

var (
	regWords = []*regexp.Regexp{
		regexp.MustCompile(`\b(BX|BL|BH|CPUID|CMPXCHG16B|CMPXCHG8B)\b`),
		regexp.MustCompile(`\b(BP|BPB)\b`),
		regexp.MustCompile(`\bR12B?\b`),
		regexp.MustCompile(`\bR13B?\b`),
		regexp.MustCompile(`\b(R14B?|g)\b`),
		regexp.MustCompile(`\bR15B?\b`),
	}
	// Instructions given as bytes may be anything, and so may what other files define, and what a
	// jump through a register or memory leads to. Calls of that kind are in the object.
	opaque = regexp.MustCompile(`(?m)^\s*#include|\b(BYTE|WORD|LONG|QUAD)\b|` +
		`\bJMP\s+\*?(?:[ABCD]X|[SD]I|BP|R(?:8|9|1[0-5])|[^\s;]*\((?:[ABCD]X|[SD]I|[BS]P|R(?:8|9|1[0-5]))\))`)
	include  = regexp.MustCompile(`(?m)^\s*#include\s+"(textflag|go_asm|funcdata)\.h"`)
	comments = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	textLine = regexp.MustCompile(`(?m)^TEXT\s+(?:"")?([^\s(<]+)(<>|<\w+>)?(?:<\w+>)?\(SB\)`)
	macro    = regexp.MustCompile(`(?m)^\s*#define(?:[^\n]*\\\n)*[^\n]*`)
)

// changes returns for each function of the files, by name as in symbols but without the package (of
// a static one: its plain name), the set of preserved registers that its own text may change.
func changes(files []string, path string) map[string]int {
	sets := map[string]int{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil // the assembler has read it; if it is gone now, everything is in doubt
		}
		text := comments.ReplaceAllString(string(data), "")
		text = include.ReplaceAllString(text, "")
		// Macros count for all functions of the file.
		common := 0
		for _, m := range macro.FindAllString(text, -1) {
			common |= named(m)
		}
		body := macro.ReplaceAllString(text, "")
		starts := textLine.FindAllStringSubmatchIndex(body, -1)
		head := len(body)
		if len(starts) > 0 {
			head = starts[0][0]
		}
		common |= named(body[:head])
		for i, m := range starts {
			end := len(body)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			name := body[m[2]:m[3]]
			if rest, ok := strings.CutPrefix(name, "·"); ok {
				name = path + "." + rest
			}
			sets[name] |= common | named(body[m[1]:end])
		}
	}
	return sets
}

// named is the set of registers that a text names.
func named(text string) int {
	if opaque.MatchString(text) {
		return allRegs
	}
	set := 0
	for i, re := range regWords {
		if re.MatchString(text) {
			set |= 1 << i
		}
	}
	return set
}

// clobbers joins the sets of s and of all it calls. What calls Go code changes nothing by that:
// thunks preserve these registers.
func (t *translator) clobbers(s *symbol, sets map[string]int, seen map[*symbol]bool) int {
	if seen[s] {
		return 0
	}
	seen[s] = true
	set, ok := sets[s.name]
	if !ok {
		return allRegs
	}
	for _, r := range s.relocs {
		switch {
		case r.kind == relCallInd:
			return allRegs
		case r.kind == relTLSLE: // a stack check, for which the assembler takes the registers it likes
			return allRegs
		case r.sym != nil && r.sym.defined && r.sym.text():
			set |= t.clobbers(r.sym, sets, seen)
		}
	}
	return set
}
