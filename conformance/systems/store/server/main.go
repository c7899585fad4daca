// Server is a bank on a bbolt database: ten accounts have 100 each at first.
//
//	server [-lazy]
//
// It makes the database's name durable, which bbolt does not do, unless it is told to be lazy.
// On port 8000 each line of a client is a command, whose answer is a line:
//
//	move FROM TO AMOUNT    ok N: the N-th transaction has done so
//	sum                    ok N SUM: what all accounts have after the N-th
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"net"
	"os"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
)

var bucket = []byte("accounts")

const (
	accounts = 10
	each     = 100
	count    = "count" // the key of how many transactions there were
)

func main() {
	log.SetFlags(0)
	db, err := open()
	for errors.Is(err, syscall.EIO) { // the disk may do better later
		time.Sleep(10 * time.Millisecond)
		db, err = open()
	}
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", ":8000")
	if err != nil {
		log.Fatal(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go serve(db, c)
	}
}

// open opens the database, and makes it if there is none.
func open() (*bolt.DB, error) {
	db, err := bolt.Open("bank.db", 0o600, nil)
	if err != nil {
		return nil, err
	}
	if len(os.Args) == 1 {
		err = syncDir(".")
	}
	if err == nil {
		err = db.Update(begin)
	}
	if err == nil {
		err = db.View(func(tx *bolt.Tx) error {
			if err := <-tx.Check(); err != nil {
				return fmt.Errorf("the database is damaged: %w", err)
			}
			return nil
		})
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func syncDir(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

// begin makes the accounts, if there are none.
func begin(tx *bolt.Tx) error {
	b, err := tx.CreateBucketIfNotExists(bucket)
	if err != nil || b.Get([]byte(count)) != nil {
		return err
	}
	for i := range accounts {
		if err := put(b, name(i), each); err != nil {
			return err
		}
	}
	return put(b, count, 0)
}

func name(account int) string { return fmt.Sprintf("account%d", account) }

func put(b *bolt.Bucket, key string, v uint64) error {
	return b.Put([]byte(key), binary.BigEndian.AppendUint64(nil, v))
}

func get(b *bolt.Bucket, key string) uint64 { return binary.BigEndian.Uint64(b.Get([]byte(key))) }

func serve(db *bolt.DB, c net.Conn) {
	defer c.Close()
	for lines := bufio.NewScanner(c); lines.Scan(); {
		answer, err := do(db, lines.Text())
		if err != nil {
			answer = "failed: " + err.Error()
		}
		fmt.Fprintln(c, answer)
	}
}

func do(db *bolt.DB, line string) (answer string, err error) {
	var from, to int
	var amount uint64
	if _, err := fmt.Sscanf(line, "move %d %d %d", &from, &to, &amount); err == nil {
		err = db.Update(func(tx *bolt.Tx) error {
			b := tx.Bucket(bucket)
			amount := min(amount, get(b, name(from)))
			n := get(b, count) + 1
			answer = fmt.Sprint("ok ", n)
			if err := put(b, name(from), get(b, name(from))-amount); err != nil {
				return err
			}
			if err := put(b, name(to), get(b, name(to))+amount); err != nil {
				return err
			}
			return put(b, count, n)
		})
		return answer, err
	}
	err = db.View(func(tx *bolt.Tx) error {
		b, sum := tx.Bucket(bucket), uint64(0)
		for i := range accounts {
			sum += get(b, name(i))
		}
		answer = fmt.Sprint("ok ", get(b, count), " ", sum)
		return nil
	})
	return answer, err
}
