package machine

import (
	"strconv"
	"strings"
)

// node is what is read of a node of metadata.
type node struct {
	kind             string
	scope, inlinedAt int32
	file             int32
	line             int32
	name, dir        string
	linkage          string
	annotated        bool

	tag, encoding string // without what they begin with: DW_TAG_, DW_ATE_
	typ           int32  // of a variable, what a type is made of, or what a description is about
	size, offset  int64  // in bits
	count         int64  // of an array
	arg           int32
	list          []int32 // elements, types of a signature, a function's variables
}

// node reads a node.
func (d *debug) node(n int32) node {
	if x, ok := d.nodes[n]; ok {
		return x
	}
	x := d.parseNode(d.w.m.Nodes[n])
	d.nodes[n] = x
	return x
}

func (d *debug) parseNode(text []byte) (x node) {
	x.scope, x.inlinedAt, x.file, x.typ = -1, -1, -1, -1
	s := string(text)
	if len(s) > 9 && s[:9] == "distinct " {
		s = s[9:]
	}
	i := 1
	for i < len(s) && s[i] != '(' {
		i++
	}
	x.kind = s[1:i]
	i++
	for i < len(s) && s[i] != ')' {
		start := i
		for i < len(s) && s[i] != ':' {
			i++
		}
		key := s[start:i]
		i += 2
		start = i
		depth := 0
		quoted := false
		for ; i < len(s); i++ {
			c := s[i]
			if quoted {
				quoted = c != '"'
				continue
			}
			if c == '"' {
				quoted = true
			} else if c == '(' || c == '{' {
				depth++
			} else if (c == ')' || c == '}') && depth > 0 {
				depth--
			} else if (c == ',' || c == ')') && depth == 0 {
				break
			}
		}
		if i > len(s) || start > i {
			break
		}
		value := s[start:i]
		d.set(&x, key, value)
		if i < len(s) && s[i] == ',' {
			i += 2
		}
	}
	return x
}

// set takes one of a node's fields.
func (d *debug) set(x *node, key, value string) {
	switch key {
	case "scope":
		x.scope = reference(value)
	case "inlinedAt":
		x.inlinedAt = reference(value)
	case "file":
		x.file = reference(value)
	case "type", "baseType", "var":
		x.typ = reference(value)
	case "elements", "types", "retainedNodes", "templateParams":
		x.list = d.references(value)
	case "name", "filename", "producer":
		x.name = unquote(value)
	case "directory":
		x.dir = unquote(value)
	case "linkageName":
		x.linkage = unquote(value)
	case "tag":
		x.tag = strings.TrimPrefix(value, "DW_TAG_")
	case "encoding":
		x.encoding = strings.TrimPrefix(value, "DW_ATE_")
	case "line":
		x.line = int32(integer(value))
	case "arg":
		x.arg = int32(integer(value))
	case "size":
		x.size = integer(value)
	case "offset":
		x.offset = integer(value)
	case "count":
		x.count = integer(value)
	case "annotations":
		x.annotated = true
	}
}

func integer(value string) int64 {
	n, _ := strconv.ParseInt(value, 10, 64)
	return n
}

// reference is the number of the node that a value names, -1 if it names none.
func reference(value string) int32 {
	if len(value) > 1 && value[0] == '!' {
		if n, err := strconv.Atoi(value[1:]); err == nil {
			return int32(n)
		}
	}
	return -1
}

// references are the nodes of a list: one in braces, or a node that is such a list.
func (d *debug) references(value string) (list []int32) {
	if n := reference(value); n >= 0 {
		value = string(d.w.m.Nodes[n])
	}
	value = strings.TrimSuffix(strings.TrimPrefix(value, "!{"), "}")
	for _, s := range strings.Split(value, ", ") {
		if s != "" {
			list = append(list, reference(s))
		}
	}
	return list
}

// unquote undoes LLVM's spelling of texts.
func unquote(s string) string {
	if len(s) < 2 || s[0] != '"' {
		return s
	}
	s = s[1 : len(s)-1]
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			out := []byte(s[:i])
			for ; i < len(s); i++ {
				if s[i] == '\\' && i+2 < len(s) {
					n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
					if err == nil {
						out = append(out, byte(n))
						i += 2
						continue
					}
				}
				out = append(out, s[i])
			}
			return string(out)
		}
	}
	return s
}
