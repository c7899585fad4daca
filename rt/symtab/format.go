package symtab

// The table's format is described in package loam/internal/symtab, which writes it.
const (
	Magic       = 0x4c4d5431
	HeaderSize  = 8 * 4
	BlockLength = 16 // functions
	MaxInline   = 24 // calls, the function itself included; what is inlined deeper is left out
)

// Words of the header.
const (
	HeaderMagic = iota
	HeaderBlocks
	HeaderFiles
	HeaderBlockTable
	HeaderFuncs
	HeaderSubprograms
	HeaderFileTable
	HeaderNames
)

// A function's flags: its kind of frame, and what its body has.
const (
	FrameNone     = 0 // not known
	FrameTop      = 1 // none: the return address is on top
	FrameStandard = 2
	FrameRows     = 3
	FrameMask     = 3

	HasCalls  = 4
	IsNullary = 8
	IsIndexed = 16
)

// A function of more rows and inlined calls together than IndexFrom is indexed: an entry for every
// IndexStride of either.
const (
	IndexFrom   = 128
	IndexStride = 32
)

// A subprogram's bits below its file.
const (
	HasLinkage     = 1
	SubprogramBits = 1
)
