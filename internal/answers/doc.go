// Package answers remembers what the go command said of a build: which SDK it takes, and which
// packages there are. To ask takes longer than to compile a small package.
//
// An answer is kept with everything that the go command may have looked at for it: the environment
// and the arguments, which are its key, and facts about files. It holds as long as these facts do.
// They are the module files and those that could stand in their place, the names in directories
// that packages may come from, and, of the Go files there, what stands before the declarations:
// constraints, package clause and imports. An edit of a function changes none of it.
//
// What is in the module cache and in the shadow GOROOT does not change, as the go command also
// assumes. What depends on more than that is asked anew each time: errors, overlays, GOPATH mode,
// patterns that are matched against all modules.
package answers
