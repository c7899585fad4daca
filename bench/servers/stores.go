package main

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	bolt "go.etcd.io/bbolt"
	_ "modernc.org/sqlite" // the driver
)

// broker is nats: a request through the broker to a subscriber, and its answer back.
func broker(string) (func() (func() error, error), error) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		return nil, fmt.Errorf("the broker does not start")
	}
	responder, err := nats.Connect(s.ClientURL())
	if err != nil {
		return nil, err
	}
	if _, err := responder.Subscribe("echo", func(m *nats.Msg) { m.Respond(m.Data) }); err != nil {
		return nil, err
	}
	if err := responder.Flush(); err != nil {
		return nil, err
	}
	text := make([]byte, 128)
	return func() (func() error, error) {
		c, err := nats.Connect(s.ClientURL())
		if err != nil {
			return nil, err
		}
		return func() error {
			_, err := c.Request("echo", text, time.Minute)
			return err
		}, nil
	}, nil
}

// rows is how many keys the stores have. One request in ten writes, the others read.
const rows = 100_000

// keyValue is bbolt, which does not wait for the disk here: that would be all that is measured.
func keyValue(dir string) (func() (func() error, error), error) {
	db, err := bolt.Open(filepath.Join(dir, "bolt"), 0o600, &bolt.Options{NoSync: true, NoFreelistSync: true})
	if err != nil {
		return nil, err
	}
	name, value := []byte("rows"), make([]byte, 128)
	key := func(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)) }
	err = db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket(name)
		for i := 0; i < rows && err == nil; i++ {
			err = b.Put(key(i), value)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return func() (func() error, error) {
		return func() error {
			k := key(rand.IntN(rows))
			if rand.IntN(10) == 0 {
				return db.Update(func(tx *bolt.Tx) error { return tx.Bucket(name).Put(k, value) })
			}
			return db.View(func(tx *bolt.Tx) error {
				if len(tx.Bucket(name).Get(k)) != len(value) {
					return fmt.Errorf("a key is not there")
				}
				return nil
			})
		}, nil
	}, nil
}

// sqlEngine is SQLite, translated to Go.
func sqlEngine(dir string) (func() (func() error, error), error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "sqlite")+
		"?_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)&_pragma=busy_timeout(60000)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(8)
	if _, err := db.Exec("CREATE TABLE goods (id INTEGER PRIMARY KEY, name TEXT, stock INTEGER)"); err != nil {
		return nil, err
	}
	if _, err := db.Exec("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i < ?) INSERT INTO goods SELECT i, 'thing ' || i, 10 FROM n", rows-1); err != nil {
		return nil, err
	}
	return func() (func() error, error) {
		return func() error {
			id := rand.IntN(rows)
			if rand.IntN(10) == 0 {
				_, err := db.Exec("UPDATE goods SET stock = stock + 1 WHERE id = ?", id)
				return err
			}
			var name string
			var stock int
			return db.QueryRow("SELECT name, stock FROM goods WHERE id = ?", id).Scan(&name, &stock)
		}, nil
	}, nil
}
