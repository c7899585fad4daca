package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

const topic = "president"

// counts is what a search finds: documents with the topic, items with it.
type counts struct {
	documents, items int
}

// random is a small generator (splitmix64): the same feeds with every compiler and
// every version of the standard library.
type random uint64

func (r *random) next(n int) int {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) >> 1 % uint64(n))
}

var vocabulary = []string{
	"harbour", "senate", "orchard", "turbine", "verdict", "glacier", "museum", "ballot",
	"railway", "vaccine", "drought", "festival", "pension", "reactor", "treaty", "lantern",
	"preside", "resident", "presidium", "election", "köln", "façade", "東京", "naïve",
}

func (r *random) words(b *bytes.Buffer, n int) {
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(vocabulary[r.next(len(vocabulary))])
	}
}

// document writes feed number i to b and returns how many of its items have the topic in
// title or description. One in five feeds has it nowhere; links and categories may have it
// without counting.
func document(b *bytes.Buffer, i int) (items int) {
	r := random(uint64(i)*0x2545f4914f6cdd1d + 490618)
	topical := r.next(5) != 0
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\">\n<channel>\n")
	fmt.Fprintf(b, "<title>Feed %d</title><link>http://localhost/%d</link><language>en</language>\n", i, i)
	for k := range 20 + r.next(20) {
		inTitle := topical && r.next(8) == 0
		inText := topical && r.next(6) == 0
		b.WriteString("<item><title>")
		r.words(b, 4+r.next(6))
		if inTitle {
			b.WriteString(" &quot;" + topic + "&quot; &amp; co")
		}
		fmt.Fprintf(b, "</title><link>http://localhost/%d/%s/%d</link><guid isPermaLink=\"false\">%d-%d</guid>", i, topic, k, i, k)
		fmt.Fprintf(b, "<category>%s</category><pubDate>Tue, 02 Jul 2019 13:%02d:49 GMT</pubDate><description>", topic, k)
		if r.next(2) == 0 {
			b.WriteString("<![CDATA[<p>")
			r.words(b, 30+r.next(40))
			if inText {
				b.WriteString(" the " + topic + " ")
			}
			b.WriteString("</p>]]>")
		} else {
			r.words(b, 30+r.next(40))
			if inText {
				// The decoder has to put this together from two pieces.
				b.WriteString(" the presi<![CDATA[dent]]> &lt;b&gt;")
			}
		}
		b.WriteString("</description></item>\n")
		if inTitle || inText {
			items++
		}
	}
	b.WriteString("</channel>\n</rss>\n")
	return items
}

func documentName(dir string, i int) string {
	return filepath.Join(dir, fmt.Sprintf("feed-%05d.xml", i))
}

// generate puts n feeds into dir, unless a run before has, and returns what there is to
// find.
func generate(dir string, n int) (want counts, err error) {
	manifest := filepath.Join(dir, fmt.Sprintf("manifest-%d", n))
	if text, err := os.ReadFile(manifest); err == nil {
		if _, err := fmt.Sscanf(string(text), "feeds 1 %d %d", &want.documents, &want.items); err == nil {
			return want, nil
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return want, err
	}
	var b bytes.Buffer
	for i := range n {
		b.Reset()
		items := document(&b, i)
		if items > 0 {
			want.documents++
		}
		want.items += items
		if err := os.WriteFile(documentName(dir, i), b.Bytes(), 0o666); err != nil {
			return want, err
		}
	}
	return want, os.WriteFile(manifest, fmt.Appendf(nil, "feeds 1 %d %d\n", want.documents, want.items), 0o666)
}
