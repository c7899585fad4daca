package traceview

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// A Source is where traces come from.
type Source interface {
	// Name is what the page calls the source.
	Name() string
	// Live reports whether recording again gives something new.
	Live() bool
	// Record returns one trace; a live source watches the program for that long. Ending ctx
	// ends the recording with an error.
	Record(ctx context.Context, length time.Duration) (io.ReadCloser, error)
}

// File is a trace on disk.
type File string

func (f File) Name() string { return string(f) }
func (f File) Live() bool   { return false }
func (f File) Record(context.Context, time.Duration) (io.ReadCloser, error) {
	return os.Open(string(f))
}

// URL is a program that serves net/http/pprof.
type URL struct{ address *url.URL }

// ParseURL takes the address of a program (http://localhost:6060), of its pprof pages, or of
// its trace. An address that names the seconds says how long every recording takes.
func ParseURL(s string) (URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return URL{}, err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return URL{}, fmt.Errorf("%s: not an address that begins with http:// or https://", s)
	}
	switch path := strings.TrimSuffix(u.Path, "/"); path {
	case "", "/debug", "/debug/pprof":
		u.Path = "/debug/pprof/trace"
	}
	return URL{u}, nil
}

func (u URL) Name() string { return u.address.String() }
func (u URL) Live() bool   { return true }

func (u URL) Record(ctx context.Context, length time.Duration) (io.ReadCloser, error) {
	address := *u.address
	query := address.Query()
	if !query.Has("seconds") {
		query.Set("seconds", strconv.FormatFloat(length.Seconds(), 'f', -1, 64))
		address.RawQuery = query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, "GET", address.String(), nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(response.Body, 500))
		return nil, fmt.Errorf("%s: %s: %s", address.String(), response.Status, strings.TrimSpace(string(text)))
	}
	return response.Body, nil
}
