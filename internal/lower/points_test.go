package lower

import (
	"regexp"
	"strings"
	"testing"
)

// Before what another goroutine could see or change there is a question in programs that are built
// for simulation, and none in others.
func TestPoints(t *testing.T) {
	const source = `
func closes(c chan int) { close(c) }
func sends(c chan int) { c <- 1 }
func receives(c chan int) int { return <-c }
func ranges(c chan int) { for range c {} }
func length(c chan int) int { return len(c) }
func selects(c, d chan int) {
	select {
	case <-c:
	case d <- 1:
	}
}
func polls(c chan int) {
	select {
	case <-c:
	default:
		close(c)
	}
}
func loads(p *int) int { return *p }
func text(s string) int { return len(s) }
`
	call := regexp.MustCompile(`call .*@"?runtime\.((?:sim|chan|close|select)[^"(]*)"?\(`)
	for points, want := range map[bool]map[string]string{
		false: {
			"closes": "closechan", "sends": "chansend1", "receives": "chanrecv1", "ranges": "chanrecv1", "length": "", "selects": "selectgo",
			"polls": "selectnbrecv closechan", "loads": "", "text": "",
		},
		true: {
			"closes": "simop closechan", "sends": "simop chansend1", "receives": "simop chanrecv1", "ranges": "simop chanrecv1",
			"length": "simaccess", "selects": "simop selectgo", "polls": "simop selectnbrecv simop closechan",
			"loads": "simaccess", "text": "",
		},
	} {
		text := definitions(string(lowerText(t, source, func(in *Input) { in.Flags.Points = points }).Text()))
		for name, want := range want {
			_, body, ok := strings.Cut(text, `@"p.`+name+`"`)
			if !ok {
				t.Fatalf("no %s in\n%s", name, text)
			}
			body, _, _ = strings.Cut(body, "\n}\n")
			var got []string
			for _, m := range call.FindAllStringSubmatch(body, -1) {
				got = append(got, m[1])
			}
			if strings.Join(got, " ") != want {
				t.Errorf("points %v: %s calls %q, want %q\n%s", points, name, got, want, body)
			}
		}
	}
}
