// Sqlite measures C that was translated to Go: modernc.org/sqlite, one statement a figure, over a
// table of 100,000 rows in memory. It prints a name and the nanoseconds of processor time that the
// statement takes. Nearly all of that is in functions of thousands of lines with addresses for
// pointers, as translators make them. bench runs it under both compilers:
//
//	go run ./bench -program sqlite
//
// It is a module of its own, so that Loam does not depend on what it measures.
//
// usage: sqlite [-list] [REGEXP]
package main

import (
	"database/sql"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"syscall"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// Each statement runs at least so often, and for at least so long.
const (
	runs   = 5
	budget = 300 * time.Millisecond
)

// A statement is what is measured. What it needs and what it leaves behind is not.
type statement struct {
	name, text    string
	before, after string
}

const numbers = "with recursive c(x) as (select 1 union all select x+1 from c where x < "

var statements = []statement{
	{name: "scan", text: "select count(*), sum(n), avg(f) from t where n % 7 < 3"},
	{name: "like", text: "select count(*) from t where s like '%77%'"},
	{name: "group", text: "select k, count(*), sum(n), max(s) from t group by k"},
	{name: "order", text: "select sum(length(s)) from (select s from t order by f, s limit 20000)"},
	{name: "join", text: "select count(*), sum(a.n) from t a join t b on b.id = a.n where a.id < 40000"},
	{name: "recursive", text: numbers + "100000) select sum(x * 3 % 11) from c"},
	{name: "text", text: "select sum(length(replace(upper(s), 'A', 'bb'))) from t where id < 60000"},
	{name: "window", text: "select max(r) from (select row_number() over (partition by k order by n) r from t)"},
	{name: "json", text: "select sum(json_extract('{\"a\":[' || n || ',' || k || ']}', '$.a[1]')) from t where id < 20000"},
	{name: "update", text: "update t set n = n + 1 where id % 3 = 0"},
	{name: "insert", before: "create table u(a integer primary key, b, c)",
		text: "insert into u select id, s, n from t where id <= 50000", after: "drop table u"},
	{name: "index", text: "create index ts on t(s)", after: "drop index ts"},
	{name: "parse", text: parsed()},
}

// parsed is a statement that is mostly parsed and planned.
func parsed() string {
	text := "select 0"
	for i := range 300 {
		text += fmt.Sprintf(" union all select case when id > %d then k * %d else length(s) end from t where id = %d", i, i, i)
	}
	return text
}

func main() {
	list := flag.Bool("list", false, "print the names of the statements only")
	flag.Parse()
	only := regexp.MustCompile(flag.Arg(0))
	for _, s := range statements {
		switch {
		case !only.MatchString(s.name):
		case *list:
			fmt.Println(s.name)
		default:
			if err := s.measure(); err != nil {
				fmt.Fprintf(os.Stderr, "sqlite: %s: %v\n", s.name, err)
				os.Exit(1)
			}
		}
	}
}

// open makes the table in a new database.
func open() (*sql.DB, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // another would have an empty database
	for _, text := range []string{
		"create table t(id integer primary key, k int, n int, f real, s text)",
		"insert into t select x, x%1000, x*7919%100000, x*0.37, 'row a' || (x*104729%99991) from (" + numbers + "100000) select x from c)",
		"create index tk on t(k, n)",
	} {
		if _, err := db.Exec(text); err != nil {
			return nil, err
		}
	}
	return db, nil
}

// measure prints the median of the runs.
func (s statement) measure() error {
	db, err := open()
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := s.run(db); err != nil {
		return err
	}
	var times []time.Duration
	for all := time.Duration(0); len(times) < runs || all < budget; {
		t, err := s.run(db)
		if err != nil {
			return err
		}
		times = append(times, t)
		all += t
	}
	slices.Sort(times)
	fmt.Printf("%s %d\n", s.name, times[len(times)/2].Nanoseconds())
	return nil
}

// run runs the statement once, reads all rows, and returns the processor time of that.
func (s statement) run(db *sql.DB) (time.Duration, error) {
	if s.before != "" {
		if _, err := db.Exec(s.before); err != nil {
			return 0, err
		}
	}
	start := processorTime()
	rows, err := db.Query(s.text)
	if err != nil {
		return 0, err
	}
	for rows.Next() {
	}
	if err := rows.Close(); err != nil {
		return 0, err
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	took := processorTime() - start
	if s.after != "" {
		_, err = db.Exec(s.after)
	}
	return took, err
}

// processorTime is that of the process so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
