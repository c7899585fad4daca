package disk

// Place is where a path leads.
type Place struct {
	Dir   *Node  // that the last name is in
	Name  string // "": the path ends in a dot, or is the root
	Node  *Node  // nil: there is no such name
	Slash bool   // the path asks for a directory
}

const (
	longestName = 255
	mostLinks   = 40
)

// Walk follows a path from a directory. follow says what to do with a symbolic link at the end.
func (d *Disk) Walk(at *Node, path string, follow bool) (p Place, errno int32) {
	links := 0
	if path == "" {
		return p, ENOENT
	}
	return d.walk(at, path, follow, &links)
}

func (d *Disk) walk(at *Node, path string, follow bool, links *int) (p Place, errno int32) {
	if path != "" && path[0] == '/' {
		at = d.root
	}
	p.Node = at
	for {
		for path != "" && path[0] == '/' {
			path = path[1:]
			p.Slash = true
		}
		if path == "" {
			if p.Slash && p.Node != nil && !p.Node.IsDir() {
				return p, ENOTDIR
			}
			return p, 0
		}
		end := 0
		for end < len(path) && path[end] != '/' {
			end++
		}
		name, rest := path[:end], path[end:]
		switch {
		case p.Node == nil:
			return p, ENOENT
		case !p.Node.IsDir():
			return p, ENOTDIR
		case len(name) > longestName:
			return p, ENAMETOOLONG
		}
		if errno := d.May(p.Node, Exec); errno != 0 {
			return p, errno
		}
		p = d.step(p.Node, name)
		if n := p.Node; n != nil && n.Kind() == Symlink && (follow || rest != "") {
			if *links++; *links > mostLinks {
				return p, ELOOP
			}
			if n.Leads() == "" {
				return p, ENOENT
			}
			if p, errno = d.walk(p.Dir, n.Leads(), true, links); errno != 0 {
				return p, errno
			}
		}
		path = rest
	}
}

// step goes on by one name.
func (d *Disk) step(dir *Node, name string) Place {
	switch name {
	case ".":
		return Place{Dir: dir.parent, Node: dir}
	case "..":
		return Place{Dir: dir.parent.parent, Node: dir.parent}
	}
	return Place{Dir: dir, Name: name, Node: d.Lookup(dir, name)}
}

// Rights that May knows.
const (
	Exec  = 1
	Write = 2
	Read  = 4
)

// May reports whether the process may use a node so: 0 or EACCES.
func (d *Disk) May(n *Node, want uint32) int32 {
	bits := n.Mode
	switch {
	case Host.UID == 0:
		if want&Exec != 0 && !n.IsDir() && n.Mode&0o111 == 0 {
			return EACCES
		}
		return 0
	case Host.UID == n.UID:
		bits >>= 6
	case Host.GID == n.GID:
		bits >>= 3
	}
	if want&^bits != 0 {
		return EACCES
	}
	return 0
}

// Owns reports whether the process may change a node's rights: 0 or EPERM.
func (d *Disk) Owns(n *Node) int32 {
	if Host.UID != 0 && Host.UID != n.UID {
		return EPERM
	}
	return 0
}

// Path writes the path of a directory at the end of buf and returns it, unless it was removed, or
// buf is too short.
func (d *Disk) Path(n *Node, buf []byte) (path []byte, errno int32) {
	at := len(buf)
	if n == d.root {
		at--
		buf[at] = '/'
	}
	for n != d.root {
		name, ok := n.parent.NameOf(n)
		switch {
		case !ok:
			return nil, ENOENT
		case at < len(name)+1:
			return nil, ENAMETOOLONG
		}
		at -= len(name)
		copy(buf[at:], name)
		at--
		buf[at] = '/'
		n = n.parent
	}
	return buf[at:], 0
}

// NameOf returns the directory's name of a node that was looked up.
func (n *Node) NameOf(of *Node) (string, bool) {
	for e := n.first; e != nil; e = e.next {
		if e.node == of {
			return e.name, true
		}
	}
	return "", false
}
