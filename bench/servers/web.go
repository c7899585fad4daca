package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"

	"github.com/valyala/fasthttp"
)

type item struct {
	ID    int
	Name  string
	Price float64
	Tags  []string
}

// order is what clients of the JSON servers send; they get its sum.
type order struct{ Items []item }

type bill struct {
	Count int
	Sum   float64
}

func handle(w http.ResponseWriter, r *http.Request) {
	var o order
	if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	b := bill{Count: len(o.Items)}
	for _, i := range o.Items {
		b.Sum += i.Price
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(b)
}

func body() []byte {
	var o order
	for i := range 10 {
		o.Items = append(o.Items, item{i, fmt.Sprint("thing ", i), 1.5, []string{"a", "b"}})
	}
	text, err := json.Marshal(o)
	if err != nil {
		panic(err) // nothing in it cannot be marshalled
	}
	return text
}

func httpJSON(string) (func() (func() error, error), error) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(handle))
	s.Start()
	return jsonClients(s), nil
}

func httpsJSON(string) (func() (func() error, error), error) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(handle))
	s.TLS = &tls.Config{NextProtos: []string{"http/1.1"}}
	s.StartTLS()
	return jsonClients(s), nil
}

// jsonClients have a connection each.
func jsonClients(s *httptest.Server) func() (func() error, error) {
	text := body()
	return func() (func() error, error) {
		t := s.Client().Transport.(*http.Transport).Clone()
		c := &http.Client{Transport: t}
		return func() error {
			r, err := c.Post(s.URL, "application/json", bytes.NewReader(text))
			if err != nil {
				return err
			}
			defer r.Body.Close()
			var b bill
			if err := json.NewDecoder(r.Body).Decode(&b); err != nil {
				return err
			}
			if b.Count != 10 || b.Sum != 15 {
				return fmt.Errorf("the answer is %+v", b)
			}
			_, err = io.Copy(io.Discard, r.Body)
			return err
		}, nil
	}
}

func fastHTTP(string) (func() (func() error, error), error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &fasthttp.Server{Handler: func(c *fasthttp.RequestCtx) { c.SetBody(c.PostBody()) }}
	go s.Serve(l)
	text := make([]byte, 128)
	return func() (func() error, error) {
		c := &fasthttp.HostClient{Addr: l.Addr().String(), MaxConns: 1}
		return func() error {
			in, out := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
			defer fasthttp.ReleaseRequest(in)
			defer fasthttp.ReleaseResponse(out)
			in.SetRequestURI("http://" + c.Addr + "/")
			in.Header.SetMethod("POST")
			in.SetBody(text)
			if err := c.Do(in, out); err != nil {
				return err
			}
			if len(out.Body()) != len(text) {
				return fmt.Errorf("%d bytes came back", len(out.Body()))
			}
			return nil
		}, nil
	}, nil
}
