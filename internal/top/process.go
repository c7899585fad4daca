package top

import (
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Addresses returns where a process of this machine listens for TCP connections.
func Addresses(pid int) ([]string, error) { return addresses("/proc", pid) }

func addresses(proc string, pid int) ([]string, error) {
	dir := filepath.Join(proc, strconv.Itoa(pid))
	descriptors, err := os.ReadDir(filepath.Join(dir, "fd"))
	if err != nil {
		return nil, err
	}
	sockets := map[string]bool{}
	for _, d := range descriptors {
		if to, err := os.Readlink(filepath.Join(dir, "fd", d.Name())); err == nil {
			if inode, ok := strings.CutPrefix(to, "socket:["); ok {
				sockets[strings.TrimSuffix(inode, "]")] = true
			}
		}
	}
	var found []string
	for _, name := range []string{"tcp", "tcp6"} {
		table, err := os.ReadFile(filepath.Join(dir, "net", name))
		if err != nil {
			continue // a kernel without IPv6
		}
		for line := range strings.Lines(string(table)) {
			const local, state, inode, listens = 1, 3, 9, "0A"
			f := strings.Fields(line)
			if len(f) <= inode || f[state] != listens || !sockets[f[inode]] {
				continue
			}
			address, err := parseAddress(f[local])
			if err != nil {
				return nil, err
			}
			found = append(found, address)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// parseAddress reads an address as the kernel writes it: little-endian words, and a port. One that
// stands for all addresses becomes the loopback's.
func parseAddress(s string) (string, error) {
	host, port, _ := strings.Cut(s, ":")
	ip, err := hex.DecodeString(host)
	n, errPort := strconv.ParseUint(port, 16, 16)
	if err != nil || errPort != nil || len(ip) != net.IPv4len && len(ip) != net.IPv6len {
		return "", fmt.Errorf("%q: not an address of the kernel's", s)
	}
	for i := 0; i < len(ip); i += 4 {
		slices.Reverse(ip[i : i+4])
	}
	if net.IP(ip).IsUnspecified() {
		ip = net.IPv4(127, 0, 0, 1)
	}
	return net.JoinHostPort(net.IP(ip).String(), strconv.FormatUint(n, 10)), nil
}
