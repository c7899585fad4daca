//go:build loam

package world

import (
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/sim"
	"loam/rt/simulation"
)

// The resolver of the simulated machine, at 127.0.0.53: it knows the other machines and the names
// that the settings give, and no others. Files of the machine, as /etc/hosts, the program reads
// itself.

var resolverIP = [16]byte{10: 0xff, 11: 0xff, 12: 127, 15: 53}

func isResolver(a *address) bool { return a.port == 53 && a.ip == resolverIP }

const (
	dnsHeader  = 12
	typeA      = 1
	noSuchName = 3
	malformed  = 1
)

// answerQuery answers a query, which it drops.
func answerQuery(q *packet) {
	query := q.bytes()
	end := question(query)
	size := dnsHeader
	if end > 0 {
		size = end + 16
	}
	p := newPacket(size)
	b := p.bytes()
	clear(b)
	n := dnsHeader
	if end > 0 {
		n = copy(b, query[:end])
	} else {
		copy(b, query[:min(len(query), 2)])
	}
	b[2], b[3] = 0x81, 0x80 // a response; recursion is asked for, and there
	clear(b[4:dnsHeader])
	if end == 0 {
		b[3] |= malformed
	} else {
		b[5] = 1
		ip, known := named(query[dnsHeader : end-4])
		switch kind := int(query[end-4])<<8 | int(query[end-3]); {
		case !known:
			b[3] |= noSuchName
			noteHost(query[dnsHeader : end-4])
		case kind == typeA:
			b[7] = 1
			// A pointer to the name, type A, class IN, 60 seconds, four bytes.
			n += copy(b[n:], []byte{0xc0, dnsHeader, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, ip[0], ip[1], ip[2], ip[3]})
		}
	}
	p.size = n
	p.from, p.to = q.to, q.from
	resolver.launch(shrunk(p, size))
	q.drop()
}

// noteHost notes that the program has asked for a name that nobody knows, which is in labels.
func noteHost(labels []byte) {
	var text [255]byte
	n := 0
	for at := 0; at < len(labels) && labels[at] != 0; at += 1 + int(labels[at]) {
		if n > 0 && n < len(text) {
			text[n] = '.'
			n++
		}
		n += copy(text[n:], labels[at+1:at+1+int(labels[at])])
	}
	simulation.Asked(sim.Host, unsafe.String(&text[0], n))
}

// resolver is who sends the answers.
var resolver socket

// shrunk moves a packet to memory of its own size, as the memory of a packet is known by that.
func shrunk(p *packet, had int) *packet {
	if p.size == had {
		return p
	}
	q := newPacket(p.size)
	copy(q.bytes(), p.bytes())
	q.from, q.to = p.from, p.to
	p.size = had
	p.drop()
	return q
}

// question is where the first question of a query ends, 0 if it has none.
func question(b []byte) int {
	if len(b) < dnsHeader || b[4] != 0 || b[5] != 1 {
		return 0
	}
	at := dnsHeader
	for at < len(b) && b[at] != 0 {
		if b[at] > 63 {
			return 0
		}
		at += 1 + int(b[at])
	}
	if at+5 > len(b) {
		return 0
	}
	return at + 5
}

// named finds the address of a name, which is in labels, in the settings: a list of name:address
// with semicolons in between.
func named(labels []byte) (ip [4]byte, ok bool) {
	if others != nil {
		for k := range int(others.N) {
			if isName(labels, others.Machines[k].Name()) {
				return cluster.Address(k), true
			}
		}
	}
	for rest := Faults.Names; rest != ""; {
		end := 0
		for end < len(rest) && rest[end] != ';' {
			end++
		}
		part := rest[:end]
		rest = rest[min(end+1, len(rest)):]
		colon := 0
		for colon < len(part) && part[colon] != ':' {
			colon++
		}
		if colon < len(part) && isName(labels, part[:colon]) {
			return parseIP(part[colon+1:])
		}
	}
	return ip, false
}

// isName reports whether labels are a name, whatever the case of its letters.
func isName(labels []byte, name string) bool {
	at := 0
	for at < len(labels) && labels[at] != 0 {
		n := int(labels[at])
		for _, c := range labels[at+1 : at+1+n] {
			if name == "" || lower(name[0]) != lower(c) {
				return false
			}
			name = name[1:]
		}
		at += 1 + n
		if labels[at] != 0 {
			if name == "" || name[0] != '.' {
				return false
			}
			name = name[1:]
		}
	}
	return name == ""
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// parseIP reads four decimal numbers.
func parseIP(s string) (ip [4]byte, ok bool) {
	for i := range ip {
		if i > 0 {
			if s == "" || s[0] != '.' {
				return ip, false
			}
			s = s[1:]
		}
		v, digits := 0, 0
		for s != "" && '0' <= s[0] && s[0] <= '9' && v < 256 {
			v = v*10 + int(s[0]-'0')
			s = s[1:]
			digits++
		}
		if digits == 0 || v > 255 {
			return ip, false
		}
		ip[i] = byte(v)
	}
	return ip, s == ""
}
