// Package load finds and type-checks the packages of a build.
//
// It works in three steps, each usable alone:
//
//   - A shadow GOROOT (Shadow) is the installed Go SDK with Loam's run-time system put in
//     place: real directories, symbolic links to upstream's files, our own packages from rt/
//     under internal/rt/, and the rules of overlay/overlay.txt applied. The installed SDK is
//     never written to.
//   - List asks the go command, pointed at the shadow GOROOT, which packages and files take
//     part. Modules, workspaces, vendoring, build constraints and //go:embed patterns are
//     therefore exactly the go command's.
//   - Universe type-checks: from source what is to be compiled, from export data what is
//     already in the cache.
package load
