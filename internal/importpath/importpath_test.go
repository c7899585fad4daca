package importpath

import "testing"

func TestPrefix(t *testing.T) {
	for path, want := range map[string]string{
		"fmt": "fmt", "golang.org/x/net/html": "golang.org/x/net/html", "gopkg.in/yaml.v3": "gopkg.in/yaml%2ev3",
		"example.com": "example%2ecom", "a%/é": "a%25/%c3%a9",
	} {
		got := Prefix(path)
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
		if back := Path(got); back != path {
			t.Errorf("%s: back as %s", path, back)
		}
	}
}
