package runtime

import _ "unsafe" // for linkname

// The execution tracer is not there yet. Starting it is an error that says so; annotations are dropped.

// StartTrace starts the execution tracer: not supported yet.
func StartTrace() error { return errorString("execution tracing is not supported by Loam yet") }

// StopTrace stops the execution tracer.
func StopTrace() {}

// ReadTrace returns the next piece of the execution trace; nil: there is none.
func ReadTrace() (buf []byte) { return nil }

//go:linkname trace_readTrace runtime/trace.runtime_readTrace
func trace_readTrace() (buf []byte) { return nil }

func traceAdvance(stopTrace bool) {}

func traceClockNow() uint64 { return uint64(nanotime()) }

//go:linkname trace_clockUnitsPerSecond runtime/trace.runtime_traceClockUnitsPerSecond
func trace_clockUnitsPerSecond() uint64 { return 1000000000 }

//go:linkname trace_userTaskCreate runtime/trace.userTaskCreate
func trace_userTaskCreate(id, parentID uint64, taskType string) {}

//go:linkname trace_userTaskEnd runtime/trace.userTaskEnd
func trace_userTaskEnd(id uint64) {}

//go:linkname trace_userRegion runtime/trace.userRegion
func trace_userRegion(id, mode uint64, name string) {}

//go:linkname trace_userLog runtime/trace.userLog
func trace_userLog(id uint64, category, message string) {}
