package reach

import (
	"go/token"
	"strings"
)

// Methods that are called through interfaces, or by reflection, are found by two facts together: a
// type whose descriptor is reached has the method, and a reached function calls one of that name
// and signature. So descriptors and itabs do not refer to the method's function but to a symbol
// that stands for it (Method). Functions mention what they call (Call). The linker is told which of
// those symbols are functions (Walk.Methods). The others are nothing: they are weak, and 0.
//
// A program that calls methods by number or by name, which nobody knows in advance, has all
// exported methods of the types whose descriptors it reaches.

const (
	methodPrefix = "method:"
	callPrefix   = "call:"
)

// Method is the symbol for a function that a type has as a method of that name and signature. The
// name of an unexported method comes behind its package's.
func Method(name, signature, function string) string {
	return methodPrefix + name + ":" + signature + ":" + function
}

// IsMethod reports whether a symbol is one that Method made.
func IsMethod(symbol string) bool { return strings.HasPrefix(symbol, methodPrefix) }

// Call is what a function mentions that calls a method of some type through an interface.
func Call(name, signature string) string { return callPrefix + name + ":" + signature }

// splitMethod takes a symbol apart that Method made.
func splitMethod(symbol string) (call, function string, exported bool) {
	rest := symbol[len(methodPrefix):]
	name, behind, _ := strings.Cut(rest, ":")
	signature, function, _ := strings.Cut(behind, ":")
	return Call(name, signature), function, token.IsExported(name)
}

// byName are functions by which programs get at methods that are not known in advance.
var byName = map[string]bool{"reflect.Value.Method": true, "reflect.Value.MethodByName": true,
	"reflect.(*rtype).Method": true, "reflect.(*rtype).MethodByName": true}

// methods is what a walk knows of them, by the numbers of names.
type methods struct {
	all     bool              // exported ones are needed, even without a call
	waiting map[int32][]int32 // symbols for functions that are needed once there is a call
	held    []int32           // of exported ones, those that are waiting
	needed  map[int32]bool
	list    []string
}

// method notes that the symbol of that number, which stands for a method's function, is reached.
func (w *Walk) method(id int32) {
	call, _, exported := splitMethod(w.symbols[id].name)
	c := w.id(call)
	if w.symbols[c].reached || w.methods.all && exported {
		w.need(id)
		return
	}
	w.methods.waiting[c] = append(w.methods.waiting[c], id)
	if exported {
		w.methods.held = append(w.methods.held, id)
	}
}

// need notes that the function is needed which a symbol stands for.
func (w *Walk) need(id int32) {
	if w.methods.needed[id] {
		return
	}
	w.methods.needed[id] = true
	symbol := w.symbols[id].name
	w.methods.list = append(w.methods.list, symbol)
	_, function, _ := splitMethod(symbol)
	w.name(w.id(function))
}

// about looks at a name that is reached for what it says of methods.
func (w *Walk) about(id int32) {
	name := w.symbols[id].name
	switch {
	case strings.HasPrefix(name, callPrefix):
		for _, m := range w.methods.waiting[id] {
			w.need(m)
		}
		delete(w.methods.waiting, id)
	case IsMethod(name):
		w.method(id)
	case byName[name] && !w.methods.all:
		w.methods.all = true
		for _, m := range w.methods.held {
			w.need(m)
		}
		w.methods.held = nil
	}
}

// Methods are the symbols for functions of methods that are needed, in the order in which that was
// found.
func (w *Walk) Methods() []string { return w.methods.list }

// Function is the function that a symbol stands for which Method made.
func Function(symbol string) string {
	_, function, _ := splitMethod(symbol)
	return function
}
