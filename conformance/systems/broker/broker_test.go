//go:build loam

// Package broker is the world of three nats-servers, which keep a stream on three disks, while a
// client publishes and machines lose their power or are separated from each other.
package broker

import (
	"context"
	"fmt"
	"testing"
	"testing/sim"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

var names = []string{"n1", "n2", "n3"}

// Each message that was acknowledged is in the stream once, when processes are killed and machines
// are separated.
func TestStream(t *testing.T) { publish(t, "node.conf", 2) }

// It is so when one machine at a time loses its power, too.
func TestCrash(t *testing.T) { publish(t, "node.conf", 3) }

// And when all lose it at once.
func TestPower(t *testing.T) { publish(t, "node.conf", 4) }

// The server as it is by default writes to the disk every two minutes.
func TestDefaults(t *testing.T) { publish(t, "lazy.conf", 4) }

// publish publishes messages while the first so many kinds of faults happen.
func publish(t *testing.T, config string, faults int) {
	var nodes []*sim.Machine
	for _, name := range names {
		m := sim.NewMachine(name, "github.com/nats-io/nats-server/v2", "-c", config, "-n", name,
			"-routes", "nats://n1:6222,nats://n2:6222,nats://n3:6222")
		m.Start()
		nodes = append(nodes, m)
	}
	nc, err := nats.Connect("nats://n1:4222,nats://n2:4222,nats://n3:4222", nats.MaxReconnects(-1),
		nats.RetryOnFailedConnect(true), nats.ReconnectWait(200*time.Millisecond), nats.Timeout(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	s := stream(t, js)
	acknowledged := map[string]bool{}
	done := make(chan bool)
	go func() {
		defer close(done)
		for i := range 30 {
			text := fmt.Sprint("message", i)
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			if _, err := js.Publish(ctx, "things", []byte(text), jetstream.WithMsgID(text)); err == nil {
				acknowledged[text] = true
			}
			cancel()
			time.Sleep(time.Duration(sim.Rand().IntN(300)) * time.Millisecond)
		}
	}()
	disturb(nodes, faults, done)
	if len(acknowledged) > 0 {
		sim.Reachable("messages are acknowledged")
	}
	have := read(t, s)
	for text := range acknowledged {
		if have[text] != 1 {
			t.Errorf("%s was acknowledged, and is there %d times", text, have[text])
		}
	}
}

// stream makes the stream, which takes until the nodes have found each other.
func stream(t *testing.T, js jetstream.JetStream) (s jetstream.Stream) {
	var err error
	for range 60 {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		s, err = js.CreateStream(ctx, jetstream.StreamConfig{Name: "all", Subjects: []string{"things"}, Replicas: 3,
			Storage: jetstream.FileStorage})
		cancel()
		if err == nil {
			return s
		}
		time.Sleep(time.Second)
	}
	t.Fatal(err)
	return nil
}

// disturb does something to one machine at a time, until the client is done.
func disturb(nodes []*sim.Machine, faults int, done chan bool) {
	r := sim.Rand()
	for {
		select {
		case <-done:
			sim.Heal()
			return
		case <-time.After(time.Duration(500+r.IntN(4000)) * time.Millisecond):
		}
		m := nodes[r.IntN(len(nodes))]
		switch r.IntN(faults) {
		case 0:
			sim.Partition(m.Name)
		case 1:
			m.Kill()
			m.Start()
		case 2:
			m.Restart()
		case 3:
			for _, m := range nodes {
				m.Crash()
			}
			for _, m := range nodes {
				m.Start()
			}
		}
		if r.IntN(3) == 0 {
			sim.Heal()
		}
	}
}

// read reads the stream when the nodes have had a minute to agree again: one that has led, or is to
// lead, may answer with what it knows, which is not all that the others have acknowledged.
func read(t *testing.T, s jetstream.Stream) map[string]int {
	time.Sleep(time.Minute)
	have := map[string]int{}
	info, err := again(func(ctx context.Context) (*jetstream.StreamInfo, error) { return s.Info(ctx) })
	if err != nil {
		t.Fatal(err)
	}
	for seq := info.State.FirstSeq; seq <= info.State.LastSeq && seq > 0; seq++ {
		m, err := again(func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
			m, err := s.GetMsg(ctx, seq)
			if err == jetstream.ErrMsgNotFound {
				return nil, nil
			}
			return m, err
		})
		if err != nil {
			t.Fatalf("message %d: %v", seq, err)
		}
		if m != nil {
			have[string(m.Data)]++
		}
	}
	return have
}

func again[T any](ask func(ctx context.Context) (T, error)) (v T, err error) {
	for range 1500 {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		v, err = ask(ctx)
		cancel()
		if err == nil {
			return v, nil
		}
		time.Sleep(time.Second)
	}
	return v, err
}
