package tracer

// Numbers of the format; the names are the format's. format_test.go compares them with the
// installed Go's.

// Types of events.
const (
	EvEventBatch          = 1
	EvStacks              = 2
	EvStack               = 3
	EvStrings             = 4
	EvString              = 5
	EvCPUSamples          = 6
	EvCPUSample           = 7
	EvFrequency           = 8
	EvProcsChange         = 9
	EvProcStart           = 10
	EvProcStop            = 11
	EvProcSteal           = 12
	EvProcStatus          = 13
	EvGoCreate            = 14
	EvGoStart             = 16
	EvGoDestroy           = 17
	EvGoStop              = 19
	EvGoBlock             = 20
	EvGoUnblock           = 21
	EvGoSyscallBegin      = 22
	EvGoSyscallEnd        = 23
	EvGoSyscallEndBlocked = 24
	EvSTWBegin            = 26
	EvSTWEnd              = 27
	EvGCActive            = 28
	EvGCBegin             = 29
	EvGCEnd               = 30
	EvGCSweepBegin        = 32
	EvGCSweepEnd          = 33
	EvGCMarkAssistBegin   = 35
	EvGCMarkAssistEnd     = 36
	EvHeapAlloc           = 37
	EvHeapGoal            = 38
	EvGoLabel             = 39
	EvUserTaskBegin       = 40
	EvUserTaskEnd         = 41
	EvUserRegionBegin     = 42
	EvUserRegionEnd       = 43
	EvUserLog             = 44
	EvGoSwitch            = 45
	EvGoSwitchDestroy     = 46
	EvGoCreateBlocked     = 47
	EvGoStatusStack       = 48
	EvSync                = 50
	EvClockSnapshot       = 51
	EvEndOfGeneration     = 52
)

// What the status events say of a goroutine.
const (
	GoRunnable = 1
	GoRunning  = 2
	GoSyscall  = 3
	GoWaiting  = 4
)

// What they say of a P.
const (
	ProcRunning = 1
	ProcIdle    = 2
)

// Header begins each trace.
const Header = "go 1.26 trace\x00\x00\x00"

const (
	// MaxFrames is how many frames a stack may have, MaxString how many bytes a string.
	MaxFrames = 128
	MaxString = 1 << 10
	// NoThread is the thread of batches that no thread wrote.
	NoThread = ^uint64(0)
)

// A Text is a string that every generation's table has, under its value as number.
type Text uint8

const (
	TextNone Text = iota

	// Why a goroutine blocks. Upstream's tools know some of these by their words.
	BlockUnspecified
	BlockForever
	BlockNet
	BlockSelect
	BlockCond
	BlockSync
	BlockChanSend
	BlockChanReceive
	BlockSystem
	BlockUntilGCEnds
	BlockSleep
	BlockSynctest

	// Why it stops but could go on.
	StopYield
	StopPreempted

	// Why the world is stopped.
	WorldUnknown
	WorldMarkTermination
	WorldSweepTermination
	WorldGoroutineProfile
	WorldAllStacks
	WorldReadMemStats
	WorldAllThreads
	WorldProcs
	WorldHeapDump

	// Labels of goroutines that stand for marking by Ps.
	LabelMarkShare
	LabelMarkIdle

	numTexts
)

var texts = [numTexts]string{
	BlockUnspecified:      "unspecified",
	BlockForever:          "forever",
	BlockNet:              "network",
	BlockSelect:           "select",
	BlockCond:             "sync.(*Cond).Wait",
	BlockSync:             "sync",
	BlockChanSend:         "chan send",
	BlockChanReceive:      "chan receive",
	BlockSystem:           "system goroutine wait",
	BlockUntilGCEnds:      "wait until GC ends",
	BlockSleep:            "sleep",
	BlockSynctest:         "synctest",
	StopYield:             "runtime.Gosched",
	StopPreempted:         "preempted",
	WorldUnknown:          "unknown",
	WorldMarkTermination:  "GC mark termination",
	WorldSweepTermination: "GC sweep termination",
	WorldGoroutineProfile: "goroutine profile",
	WorldAllStacks:        "all goroutines stack trace",
	WorldReadMemStats:     "read mem stats",
	WorldAllThreads:       "AllThreadsSyscall",
	WorldProcs:            "GOMAXPROCS",
	WorldHeapDump:         "write heap dump",
	LabelMarkShare:        "GC (fractional)",
	LabelMarkIdle:         "GC (idle)",
}
