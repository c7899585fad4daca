package heap

import (
	"testing"

	"loam/rt/pacer"
)

func TestParseBytes(t *testing.T) {
	for _, c := range []struct {
		in   string
		want uint64
		ok   bool
	}{
		{"0", 0, true}, {"123", 123, true}, {"123B", 123, true}, {"1KiB", 1024, true},
		{"4GiB", 4 << 30, true}, {"1TiB", 1 << 40, true}, {"", 0, false}, {"B", 0, false},
		{"1KB", 0, false}, {"1iB", 0, false}, {"-1", 0, false}, {"99999999TiB", 0, false},
		{"9223372036854775807", 1<<63 - 1, true}, {"9223372036854775807B", 1<<63 - 1, true}, {"9223372036854775808", 0, false},
		{"99999999999999999999", 0, false}, {"00000000000000000000000005", 5, true}, {"+5", 5, true}, {"-0", 0, true}, {"+", 0, false},
	} {
		if n, ok := parseBytes(c.in); ok != c.ok || ok && n != c.want {
			t.Errorf("parseBytes(%q) = %d, %v", c.in, n, ok)
		}
	}
}

func TestParsePercent(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int32
		ok   bool
	}{
		{"100", 100, true}, {"off", pacer.Off, true}, {"-5", pacer.Off, true}, {"-0", 0, true}, {"2147483647", 1<<31 - 1, true},
		{"2147483648", 0, false}, {"-2147483648", pacer.Off, true}, {"-2147483649", 0, false},
		{"0000000000000000000000050", 50, true}, {"", 0, false},
	} {
		if n, ok := parsePercent(c.in); ok != c.ok || ok && n != c.want {
			t.Errorf("parsePercent(%q) = %d, %v", c.in, n, ok)
		}
	}
}

func TestParseBudget(t *testing.T) {
	for _, c := range []struct {
		in            string
		share, memory uint64
		bad           string
	}{
		{"cpu=5%,mem=512MB", 50, 512 << 20, ""}, {"cpu=2.5%", 25, pacer.NoLimit, ""},
		{"mem=1GiB", 0, 1 << 30, ""}, {"", 0, pacer.NoLimit, ""}, {"cpu=10", 100, pacer.NoLimit, ""},
		{",concurrent=0,", 0, pacer.NoLimit, ""}, {"mem=7KB", 0, 7 << 10, ""}, {"cpu=99.9%,concurrent=1", 999, pacer.NoLimit, ""},
		{in: "foo", bad: "foo"}, {in: "cpu=100%", bad: "cpu=100%"}, {in: "cpu=", bad: "cpu="}, {in: "mem=0", bad: "mem=0"},
		{in: "mem=5XB", bad: "mem=5XB"}, {in: "cpu=5%,mem=-1", bad: "mem=-1"}, {in: "concurrent=", bad: "concurrent="},
		{in: "Cpu=5", bad: "Cpu=5"},
		{in: "cpu=5%;mem=1GB", bad: "cpu=5%;mem=1GB"},
	} {
		b, bad := parseBudget(c.in)
		if bad != c.bad || bad == "" && (b.share != c.share || b.memory != c.memory) {
			t.Errorf("parseBudget(%q) = %v, %q", c.in, b, bad)
		}
	}
}
