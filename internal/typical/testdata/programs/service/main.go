package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

type item struct {
	ID   int               `json:"id"`
	Name string            `json:"name"`
	Tags []string          `json:"tags,omitempty"`
	Meta map[string]string `json:"meta"`
	At   time.Time         `json:"at"`
}

var page = template.Must(template.New("page").Parse(`<ul>{{range .}}<li>{{.Name}}</li>{{end}}</ul>`))
var word = regexp.MustCompile(`^[a-z]+$`)

type server struct {
	mu    sync.RWMutex
	items map[int]item
	log   *slog.Logger
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), time.Second)
	defer cancel()
	switch r.Method {
	case http.MethodPost:
		var it item
		if err := json.NewDecoder(r.Body).Decode(&it); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if !word.MatchString(it.Name) {
			http.NotFound(w, r)
			return
		}
		s.mu.Lock()
		s.items[it.ID] = it
		s.mu.Unlock()
		mac := hmac.New(sha256.New, []byte("k"))
		mac.Write([]byte(it.Name))
		http.SetCookie(w, &http.Cookie{Name: "s", Value: base64.StdEncoding.EncodeToString(mac.Sum(nil))})
		w.Header().Set("X", hex.EncodeToString(mac.Sum(nil)))
		json.NewEncoder(w).Encode(it)
	case http.MethodGet:
		r.ParseForm()
		id, err := strconv.Atoi(r.FormValue("id"))
		s.mu.RLock()
		it, ok := s.items[id]
		s.mu.RUnlock()
		if err == nil && ok {
			data, _ := json.MarshalIndent(it, "", "  ")
			w.Write(data)
			return
		}
		var list []item
		for _, it := range s.items {
			list = append(list, it)
		}
		sort.Slice(list, func(i, j int) bool { return list[i].ID < list[j].ID })
		slices.SortFunc(list, func(a, b item) int { return strings.Compare(a.Name, b.Name) })
		page.Execute(w, list)
	default:
		http.Redirect(w, r, path.Join("/", "x"), http.StatusFound)
	}
	s.log.InfoContext(ctx, "served", "url", r.URL.String(), slog.Duration("d", time.Second))
}

func get(u string) error {
	v, err := url.Parse(u)
	if err != nil {
		return fmt.Errorf("get: %w", err)
	}
	c := &http.Client{Timeout: time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{}, Proxy: http.ProxyFromEnvironment}}
	req, err := http.NewRequestWithContext(context.Background(), "GET", v.String(), bytes.NewReader(nil))
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	z, err := gzip.NewReader(resp.Body)
	if err != nil {
		return err
	}
	sc := bufio.NewScanner(z)
	for sc.Scan() {
		fmt.Println(sc.Text())
	}
	var e *net.OpError
	if errors.As(sc.Err(), &e) || errors.Is(err, io.EOF) {
		return e
	}
	return sc.Err()
}

func main() {
	addr := flag.String("addr", ":8080", "address")
	flag.Parse()
	var b [16]byte
	rand.Read(b[:])
	s := &server{items: map[int]item{}, log: slog.New(slog.NewJSONHandler(os.Stderr, nil))}
	mux := http.NewServeMux()
	mux.Handle("/", s)
	mux.Handle("/f/", http.FileServer(http.Dir(filepath.Join(".", "f"))))
	srv := &http.Server{Addr: *addr, Handler: mux, ReadTimeout: time.Second}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-stop
		srv.Shutdown(context.Background())
	}()
	if err := get("http://localhost"); err != nil {
		log.Println(err)
	}
	if err := srv.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}
