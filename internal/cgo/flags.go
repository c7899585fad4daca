package cgo

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

func sorted(edits []edit) []edit {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	return edits
}

// Flags in #cgo lines are the word of a module's authors, and the compiler and the linker do what
// they say: some load plugins, or write files. So only those that are known to be harmless are
// passed on, and those that CGO_CFLAGS_ALLOW and such allow.
var harmlessCompile = flagPatterns(
	`-D([A-Za-z_][A-Za-z0-9_]*)(=.*)?`, `-U[A-Za-z_][A-Za-z0-9_]*`, `-I([^@\-].*)?`, `-(isystem|idirafter|iquote|include|imacros)[^@]*`,
	`-O([^@\-].*)?`, `-W`, `-W[^@,]+`, `-w`, `-pedantic(-errors)?`, `-ansi`, `-g([^@\-].*)?`, `-std=[^@\-].*`, `-x[^@\-].*`,
	`-m[^@\-,][^@]*`, `-pthread`, `-pipe`, `-no-pie`, `-v`, `-stdlib=[^@\-].*`, `-c`, `--sysroot=.+`,
	`-f(no-)?([a-z][a-z0-9+\-]*|PIC|PIE)`, `-f(debug|file|macro)-prefix-map=[^@]+`,
	`-f(sanitize|visibility|stack-protector|diagnostics-color|max-errors|template-depth|constexpr-depth|inline-limit|tls-model|float-store|excess-precision|input-charset|exec-charset|profile-update|openmp|abi-version|gnuc-version|lto|wrapv|cf-protection|color-diagnostics)=[^@]+`,
)

var harmlessLink = flagPatterns(
	`-F([^@\-].*)?`, `-l([^@\-].*)?`, `-L([^@\-].*)?`, `-O([^@\-].*)?`,
	`-f(PIC|PIE|openmp|lto|uno-[a-z]+|no-[a-z\-]+|sanitize=.+|use-ld=[^/@]+|stack-protector.*|split-stack|exceptions)`,
	`-m[^@\-,][^@]*`, `-(pic|pie|no-pie|pthread|shared|static|static-libgcc|static-libstdc\+\+|shared-libgcc|rdynamic|s|nostdlib|nodefaultlibs|v|g.*)`,
	`-(framework|weak_framework|u|arch|isysroot|z)([^@\-].*)?`, `-stdlib=[^@\-].*`, `--sysroot=.+`, `-W[^@,]+`, `-std=[^@\-].*`,
	`-Wl,--(no-)?(allow-multiple-definition|allow-shlib-undefined|as-needed|whole-archive|export-dynamic|gc-sections|icf=.*|start-group|end-group|demangle|warn-common|warn-unresolved-symbols|copy-dt-needed-entries|enable-new-dtags|disable-new-dtags|hash-style=.*|exclude-libs.*|wrap[=,].*|defsym[=,].*|undefined[=,].*|push-state|pop-state|build-id.*|unresolved-symbols=.*|no-undefined|subsystem.*|stack.*|strip-all|strip-debug)`,
	`-Wl,-(-)?rpath(-link)?[=,][^@]+`, `-Wl,-(Bstatic|Bdynamic|Bsymbolic.*|E|L.*|l.*|O.*|d[np]|h.*|s|S|t|u,.*|z,.*|z.*|\(|\))`, `-Wl,-R,?[^@\-,][^@,]*`,
	`[A-Za-z0-9_/.$+~{}][^@]*\.(a|o|obj|dll|dylib|so|tbd)(\.[0-9.]+)?`,
)

// followed are flags whose value is the next word.
var followed = map[string]bool{"-I": true, "-isystem": true, "-idirafter": true, "-iquote": true, "-include": true,
	"-imacros": true, "-D": true, "-U": true, "-x": true, "-framework": true, "-L": true, "-l": true, "-u": true,
	"-z": true, "-arch": true, "-isysroot": true, "--sysroot": true, "-F": true, "-weak_framework": true}

func flagPatterns(list ...string) *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + strings.Join(list, "|") + `)$`)
}

// checkFlags refuses flags of a package that may do harm. name is that of the #cgo line, source
// what an error says of where they are from.
func checkFlags(name, source string, flags []string, harmless *regexp.Regexp) error {
	allow, err := userPattern(name + "_ALLOW")
	if err != nil {
		return err
	}
	disallow, err := userPattern(name + "_DISALLOW")
	if err != nil {
		return err
	}
	for i := 0; i < len(flags); i++ {
		flag := flags[i]
		switch {
		case disallow != nil && disallow.FindString(flag) == flag:
		case allow != nil && allow.FindString(flag) == flag:
			continue
		case followed[flag]:
			if i+1 == len(flags) {
				return fmt.Errorf("invalid flag in %s: %s without argument (see https://go.dev/s/invalidflag)", source, flag)
			}
			if next := flags[i+1]; strings.HasPrefix(next, "-") || strings.HasPrefix(next, "@") {
				return fmt.Errorf("invalid flag in %s: %s %s (see https://go.dev/s/invalidflag)", source, flag, next)
			}
			i++
			continue
		case harmless.MatchString(flag):
			continue
		}
		return fmt.Errorf("invalid flag in %s: %s", source, flag)
	}
	return nil
}

// userPattern is the regular expression in a variable of the user's; nil without.
func userPattern(name string) (*regexp.Regexp, error) {
	text := os.Getenv(name)
	if text == "" {
		return nil, nil
	}
	r, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("parsing $%s: %v", name, err)
	}
	return r, nil
}

// Words splits text as the go command splits CC and CGO_CFLAGS: at spaces, but for what is in
// quotes.
func Words(text string) (words []string, err error) {
	for text = strings.TrimLeft(text, " \t\r\n"); text != ""; text = strings.TrimLeft(text, " \t\r\n") {
		if q := text[0]; q == '"' || q == '\'' {
			end := strings.IndexByte(text[1:], q)
			if end < 0 {
				return nil, fmt.Errorf("unterminated %c string", q)
			}
			words = append(words, text[1:1+end])
			text = text[2+end:]
			continue
		}
		end := strings.IndexAny(text, " \t\r\n")
		if end < 0 {
			end = len(text)
		}
		words = append(words, text[:end])
		text = text[end:]
	}
	return words, nil
}
