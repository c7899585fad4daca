package cluster

import "unsafe"

// Kind is what a frame is.
type Kind uint32

const (
	Connect  Kind = iota // a connection is asked for
	Accepted             // and there
	Refused              // and nobody listens
	Data                 // bytes of a connection
	Finish               // nothing follows, in this direction
	Reset                // the connection is lost
	Window               // so many bytes more have room: Size, without content
	Datagram
	Bounced  // nobody was there for a datagram
	Signal   // Size is its number
	Silent   // machine From has lost its power: what is sent to it is not answered
	Happened // a process has ended; for processes that wait for that
	Stirred  // pipe number Size can be read or written
)

// Endpoint is an address; IPv4 as ::ffff:a.b.c.d.
type Endpoint struct {
	IP   [16]byte
	Port uint16
}

// Frame is what is on its way from a process to another. Content follows it in memory.
type Frame struct {
	When       int64
	Connection uint64
	Kind       Kind
	Machine    int32 // process that has sent it
	Name       int32 // place of the name that it is for, and one; 0: none
	From, To   Endpoint
	Size       uint32
	content    uint32 // bytes
}

const frameSize = (int(unsafe.Sizeof(Frame{})) + 7) &^ 7

// Post sends a frame with content to machine k. False: too much is on its way to it.
func (w *World) Post(k int, f *Frame, content []byte) bool {
	m := &w.Machines[k]
	need := frameSize + (len(content)+7)&^7
	if m.State != Running {
		return true
	}
	if int(m.used)+need > inboxSize {
		return false
	}
	at := &w.inboxes[k][m.used]
	to := (*Frame)(unsafe.Pointer(at))
	*to = *f
	to.content = uint32(len(content))
	copy(w.inboxes[k][int(m.used)+frameSize:], content)
	m.used += int32(need)
	m.Next = min(m.Next, f.When)
	return true
}

// Take empties the inbox of machine k.
func (w *World) Take(k int, each func(f *Frame, content []byte)) {
	m := &w.Machines[k]
	for at := 0; at < int(m.used); {
		f := (*Frame)(unsafe.Pointer(&w.inboxes[k][at]))
		each(f, w.inboxes[k][at+frameSize:at+frameSize+int(f.content)])
		at += frameSize + (int(f.content)+7)&^7
	}
	m.used = 0
}

// Network 10.0.0.0/24 is the machines': the n-th has 10.0.0.n, the scenario 10.0.0.254.

const scenarioByte = 254

// Address is the IPv4 address of machine k.
func Address(k int) [4]byte {
	if k == Scenario {
		k = scenarioByte
	}
	return [4]byte{10, 0, 0, byte(k)}
}

// At is the machine with the address, -1 if there is none.
func (w *World) At(ip [4]byte) int {
	k := int(ip[3])
	switch {
	case ip[0] != 10 || ip[1] != 0 || ip[2] != 0:
		return -1
	case k == scenarioByte:
		return Scenario
	case k == Scenario || k >= int(w.N):
		return -1
	}
	return k
}
