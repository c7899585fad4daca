package http

import (
	"crypto/tls"
	"syscall"
	"time"
)

// Shutdown and SetKeepAlivesEnabled close the connections that are idle. To upstream a connection
// is idle until its next request has been read whole. So a saturated server drops requests that
// have arrived, and their clients cannot tell whether they were served. Here a connection with a
// request under way is not idle. Its request is answered, with "Connection: close", which net/http
// says by itself once it shuts down.

// requestBegins notes that bytes of another request were read. The state is that of a connection
// whose first request has not been read: closeIdleConns gives it five seconds, so that a client
// that stops within a header does not hold Shutdown. ConnState hooks do not hear of it. They hear
// StateActive, as upstream has it, when the header was read.
func (c *conn) requestBegins() {
	c.curState.Store(uint64(time.Now().Unix()<<8) | uint64(StateNew))
}

// requestUnderWay reports whether c, which closeIdleConns takes for idle, has a request under way
// all the same: one that has arrived, or that has begun to be read since. A connection whose five
// seconds are over has none, whatever it sends.
func (c *conn) requestUnderWay() bool {
	if state, _ := c.getState(); state == StateIdle && c.requestArrived() {
		return true
	}
	state, since := c.getState()
	return state == StateActive || state == StateNew && since >= time.Now().Unix()-5
}

// requestArrived reports whether the connection has bytes that nobody has read. It takes a system
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
