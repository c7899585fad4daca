package http

import (
	"crypto/tls"
	"syscall"
	"time"
)

// Shutdown and SetKeepAlivesEnabled close the connections that are idle. Upstream's idle connection
// is one whose next request has not been read whole: a saturated server drops requests that have
// arrived, whose clients then cannot tell whether they were served. Here a connection with a
// request under way is not idle. Its request is answered, with "Connection: close", which net/http
// says by itself once it shuts down.

// requestBegins notes that bytes of another request were read. The state is that of a connection
// whose first request has not been read: closeIdleConns gives it five seconds, so that a client
// that stops within a header does not hold Shutdown. ConnState hooks do not hear of it. They hear
// StateActive, as upstream has it, when the header was read.
func (c *conn) requestBegins() {
	c.curState.Store(uint64(time.Now().Unix()<<8) | uint64(StateNew))
}

// requestArrived says whether the connection has bytes that nobody has read. It takes a system
// call, waits for nothing, and says no of a connection that is no socket's.
func (c *conn) requestArrived() bool {
	nc := c.rwc
	if t, ok := nc.(*tls.Conn); ok {
		nc = t.NetConn()
	}
	sc, ok := nc.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return false
	}
	unread := false
	raw.Control(func(fd uintptr) {
		var b [1]byte
		n, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		unread = err == nil && n > 0
	})
	return unread
}
