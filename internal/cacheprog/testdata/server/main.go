// Server keeps a build cache in a directory, for the protocol of GOCACHEPROG. Its flags make it go
// wrong in ways that a client has to stand.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type request struct {
	ID                 int64
	Command            string
	ActionID, OutputID []byte
	BodySize           int64
}

type response struct {
	ID            int64
	Err           string     `json:",omitempty"`
	KnownCommands []string   `json:",omitempty"`
	Miss          bool       `json:",omitempty"`
	OutputID      []byte     `json:",omitempty"`
	Size          int64      `json:",omitempty"`
	Time          *time.Time `json:",omitempty"`
	DiskPath      string     `json:",omitempty"`
}

var (
	dir   = flag.String("dir", "", "where the cache is")
	log   = flag.String("log", "", "file that each request's command is added to")
	knows = flag.String("knows", "get,put,close", "commands that it says it knows")
	after = flag.Int("after", -1, "go wrong at this request")
	wrong = flag.String("wrong", "", "how: exit, garbage, unknown, error, nopath, content, silent")
)

func main() {
	flag.Parse()
	out := bufio.NewWriter(os.Stdout)
	say := func(r response) {
		json.NewEncoder(out).Encode(r)
		out.Flush()
	}
	first := response{}
	if *knows != "" {
		first.KnownCommands = strings.Split(*knows, ",")
	}
	say(first)
	in := json.NewDecoder(os.Stdin)
	for n := 0; ; n++ {
		var q request
		if err := in.Decode(&q); errors.Is(err, io.EOF) {
			note("end")
			return
		} else if err != nil {
			fmt.Fprintln(os.Stderr, "server:", err)
			os.Exit(1)
		}
		var body []byte
		if q.BodySize > 0 {
			if err := in.Decode(&body); err != nil || int64(len(body)) != q.BodySize {
				fmt.Fprintln(os.Stderr, "server: body:", len(body), err)
				os.Exit(1)
			}
		}
		note(q.Command)
		answer := response{ID: q.ID}
		bad := *after >= 0 && n >= *after && q.Command != "close"
		if bad {
			switch *wrong {
			case "exit":
				return
			case "garbage":
				fmt.Println("this is no JSON")
				continue
			case "unknown":
				answer.ID += 1000
			case "error":
				answer.Err = "the disk is on fire"
				say(answer)
				continue
			case "silent":
				continue
			}
		}
		switch q.Command {
		case "get":
			get(q, &answer)
			if bad && *wrong == "content" && answer.DiskPath != "" {
				other := answer.DiskPath + ".wrong"
				os.WriteFile(other, []byte("something else"), 0o666)
				answer.DiskPath = other
			}
		case "put":
			put(q, body, &answer)
		case "close":
			say(answer)
			return
		}
		if bad && *wrong == "nopath" {
			answer.DiskPath = ""
		}
		say(answer)
	}
}

// note adds a line to the log, in one write: several servers may have the same.
func note(text string) {
	if *log == "" {
		return
	}
	f, err := os.OpenFile(*log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	f.WriteString(text + "\n")
}

// An action's file names the output's, which holds the content.
func get(q request, r *response) {
	output, err := os.ReadFile(filepath.Join(*dir, "a-"+hex.EncodeToString(q.ActionID)))
	if err != nil {
		r.Miss = true
		return
	}
	r.DiskPath = filepath.Join(*dir, "o-"+hex.EncodeToString(output))
	st, err := os.Stat(r.DiskPath)
	if err != nil {
		*r = response{ID: q.ID, Miss: true}
		return
	}
	at := st.ModTime()
	r.OutputID, r.Size, r.Time = output, st.Size(), &at
}

func put(q request, body []byte, r *response) {
	r.DiskPath = filepath.Join(*dir, "o-"+hex.EncodeToString(q.OutputID))
	for name, data := range map[string][]byte{r.DiskPath: body, filepath.Join(*dir, "a-"+hex.EncodeToString(q.ActionID)): q.OutputID} {
		tmp := fmt.Sprintf("%s.%d", name, os.Getpid())
		if err := os.WriteFile(tmp, data, 0o666); err != nil {
			r.Err = err.Error()
			return
		}
		if err := os.Rename(tmp, name); err != nil {
			r.Err = err.Error()
			return
		}
	}
}
