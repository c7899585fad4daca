package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
)

// feed is what we decode of a document.
type feed struct {
	XMLName xml.Name `xml:"rss"`
	Title   string   `xml:"channel>title"`
	Items   []item   `xml:"channel>item"`
}

type item struct {
	Title       string `xml:"title"`
	Link        string `xml:"link"`
	GUID        string `xml:"guid"`
	Category    string `xml:"category"`
	Published   string `xml:"pubDate"`
	Description string `xml:"description"`
}

// count reads one document and counts its items with the topic.
func count(name, topic string) (counts, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return counts{}, err
	}
	var f feed
	if err := xml.Unmarshal(text, &f); err != nil {
		return counts{}, fmt.Errorf("%s: %w", name, err)
	}
	var c counts
	for i := range f.Items {
		it := &f.Items[i]
		if strings.Contains(it.Title, topic) || strings.Contains(it.Description, topic) {
			c.items++
		}
	}
	if c.items > 0 {
		c.documents = 1
	}
	return c, nil
}

func (c *counts) add(d counts) {
	c.documents += d.documents
	c.items += d.items
}

// search looks for the topic in all documents.
type search func(topic string, documents []string) (counts, error)

var searches = map[string]search{
	"sequential": sequential,
	"each":       each,
	"pool":       pool,
}

// sequential takes one document after the other.
func sequential(topic string, documents []string) (counts, error) {
	var total counts
	for _, name := range documents {
		c, err := count(name, topic)
		if err != nil {
			return total, err
		}
		total.add(c)
	}
	return total, nil
}

// tally collects what many goroutines find, and the first error.
type tally struct {
	mu    sync.Mutex
	total counts
	err   error
}

func (t *tally) add(c counts, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.total.add(c)
	if t.err == nil {
		t.err = err
	}
}

// each starts a goroutine for every document at once.
func each(topic string, documents []string) (counts, error) {
	var t tally
	var wg sync.WaitGroup
	for _, name := range documents {
		wg.Go(func() { t.add(count(name, topic)) })
	}
	wg.Wait()
	return t.total, t.err
}

// pool lets one goroutine a processor take documents from a channel.
func pool(topic string, documents []string) (counts, error) {
	var t tally
	var wg sync.WaitGroup
	work := make(chan string, runtime.GOMAXPROCS(0))
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			var mine counts
			var first error
			for name := range work {
				c, err := count(name, topic)
				mine.add(c)
				if first == nil {
					first = err
				}
			}
			t.add(mine, first)
		})
	}
	for _, name := range documents {
		work <- name
	}
	close(work)
	wg.Wait()
	return t.total, t.err
}
