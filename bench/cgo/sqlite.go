package main

import (
	"database/sql"

	_ "github.com/mattn/go-sqlite3" // the driver
)

// statements are SQLite's figures, over a table of 10,000 rows.
var statements = []figure{
	{"SQLite: a row by its key", func(n int) {
		query := prepared("select v from t where id = ?")
		for i := range n {
			var v string
			check(query.QueryRow(i%rows + 1).Scan(&v))
		}
	}},
	{"SQLite: 1,000 rows", func(n int) {
		query := prepared("select id, v from t limit 1000")
		for range n {
			found, err := query.Query()
			check(err)
			for found.Next() {
				var id int
				var v string
				check(found.Scan(&id, &v))
			}
			check(found.Err())
		}
	}},
	{"SQLite: a sum over all rows", func(n int) {
		query := prepared("select sum(length(v) * id) from t")
		for range n {
			var sum int
			check(query.QueryRow().Scan(&sum))
		}
	}},
	{"SQLite: an insert", func(n int) {
		insert := prepared("insert into u(v) values (?)")
		for range n {
			_, err := insert.Exec("a value")
			check(err)
		}
	}},
}

const rows = 10_000

var database *sql.DB

// prepared is a statement of the database, which the first call fills.
func prepared(text string) *sql.Stmt {
	if database == nil {
		var err error
		database, err = sql.Open("sqlite3", ":memory:")
		check(err)
		database.SetMaxOpenConns(1) // each connection has a database of its own
		for _, text := range []string{
			"create table t(id integer primary key, v text)", "create table u(id integer primary key, v text)",
			"with recursive c(x) as (select 1 union all select x+1 from c where x < 10000) insert into t select x, 'value ' || x from c",
		} {
			_, err := database.Exec(text)
			check(err)
		}
	}
	s, err := database.Prepare(text)
	check(err)
	return s
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
