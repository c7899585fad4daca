package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"text/template"
)

func builder() {
	for range 20 {
		var b strings.Builder
		for i := range 10_000 {
			b.WriteString("item ")
			b.WriteByte(byte('0' + i%10))
			b.WriteRune('é')
		}
		sink += b.Len()
	}
}

func concat() {
	s, t := "alpha", strconv.Itoa(sink)
	for i := range 200_000 {
		u := s + "-" + t
		if i&1 == 0 {
			u += "/" + s
		}
		sink += len(u)
	}
}

func splitJoin() {
	for range 5 {
		sink += len(strings.Join(strings.Split(text, " "), ", "))
		sink += len(strings.ReplaceAll(text, "fox", "wolf"))
		sink += strings.Count(strings.ToUpper(text), "DOG")
	}
}

func utf8Loop() {
	s := strings.Repeat("Grüße, 世界! plain text too. ", 5000)
	n := 0
	for _, r := range s {
		if r > 127 {
			n++
		}
	}
	sink += n + len([]rune(s))
}

func itoa() {
	for i := range 300_000 {
		s := strconv.Itoa(i * 12345)
		n, _ := strconv.Atoi(s)
		sink += n
	}
}

func parseFloat() {
	for i := range 100_000 {
		f, _ := strconv.ParseFloat("3.14159"+strconv.Itoa(i), 64)
		sinkF += f
	}
}

func formatFloat() {
	var buf [64]byte
	for i := range 100_000 {
		sink += len(strconv.AppendFloat(buf[:0], float64(i)*1.1, 'g', -1, 64))
	}
}

func sprintf() {
	for i := range 100_000 {
		sink += len(fmt.Sprintf("%d: %s = %6.2f %v", i, "name", float64(i)/3, true))
	}
}

func scanLines() {
	s := bufio.NewScanner(strings.NewReader(text))
	for s.Scan() {
		sink += len(bytes.Fields(s.Bytes()))
	}
}

var expression = regexp.MustCompile(`(\w+) (fox|bear|dog) (\w*)`)

func regexps() {
	sink += len(expression.FindAllStringSubmatch(text[:20_000], -1))
}

type person struct {
	Name    string            `json:"name"`
	Age     int               `json:"age"`
	Emails  []string          `json:"emails"`
	Address map[string]string `json:"address,omitempty"`
	Score   float64           `json:"score"`
	Friends []*person         `json:"friends,omitempty"`
}

func people() []*person {
	var ps []*person
	for i := range 300 {
		ps = append(ps, &person{Name: "Person " + strconv.Itoa(i), Age: i % 90, Emails: []string{"a@example.org", "b@example.org"},
			Address: map[string]string{"street": "Main", "city": "Town"}, Score: float64(i) / 7, Friends: []*person{{Name: "Friend", Age: 1}}})
	}
	return ps
}

var (
	everybody      = people()
	everybodyText  = must(json.Marshal(everybody))
	compressedText = compress([]byte(text))
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func jsonMarshal() { sink += len(must(json.Marshal(everybody))) }

func jsonUnmarshal() {
	var ps []*person
	if err := json.Unmarshal(everybodyText, &ps); err != nil {
		panic(err)
	}
	sink += len(ps)
}

var page = template.Must(template.New("page").Parse(`{{range .}}<li>{{.Name | printf "%s!"}} ({{.Age}}){{if .Friends}} with {{len .Friends}} friends{{end}}</li>
{{end}}`))

func templates() {
	if err := page.Execute(io.Discard, everybody); err != nil {
		panic(err)
	}
}

func compress(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func gzipData() { sink += len(compress(everybodyText)) }

func gunzipData() {
	r := must(gzip.NewReader(bytes.NewReader(compressedText)))
	sink += int(must(io.Copy(io.Discard, r)))
	r = must(gzip.NewReader(bytes.NewReader(compress(everybodyText))))
	sink += int(must(io.Copy(io.Discard, r)))
}

func base64Data() {
	s := base64.StdEncoding.EncodeToString(everybodyText)
	sink += len(must(base64.StdEncoding.DecodeString(s)))
}
