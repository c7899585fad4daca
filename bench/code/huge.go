package main

import (
	"loam/bench/code/interpreter"
	"loam/bench/code/states"
	"loam/bench/code/tables"
	"loam/bench/code/translated"
)

//go:generate go run ./generate .

// Programs that are one huge function each.
func interpret()     { sink += interpreter.Run() }
func runTranslated() { sink += translated.Run() }
func parseTables()   { sink += tables.Run() }
func runStates()     { sink += states.Run() }
