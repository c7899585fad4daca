package dwarfdata

// Tags of entries.
const (
	TagArray      = 0x01
	TagBlock      = 0x0B // DW_TAG_lexical_block
	TagMember     = 0x0D
	TagPointer    = 0x0F
	TagStruct     = 0x13
	TagSubroutine = 0x15
	TagTypedef    = 0x16
	TagInlined    = 0x1D
	TagBase       = 0x24
	TagSubprogram = 0x2E
	TagVariable   = 0x34
	TagAnnotation = 0x6000 // DW_TAG_LLVM_annotation
)

// Attributes of entries.
const (
	AttrName        = 0x03
	AttrSize        = 0x0B
	AttrStmtList    = 0x10
	AttrLowPC       = 0x11
	AttrHighPC      = 0x12
	AttrLanguage    = 0x13
	AttrCompDir     = 0x1B
	AttrInline      = 0x20
	AttrProducer    = 0x25
	AttrOrigin      = 0x31
	AttrCount       = 0x37
	AttrOffset      = 0x38 // DW_AT_data_member_location
	AttrDeclFile    = 0x3A
	AttrDeclLine    = 0x3B
	AttrSpec        = 0x47
	AttrType        = 0x49
	AttrRanges      = 0x55
	AttrCallFile    = 0x58
	AttrCallLine    = 0x59
	AttrLinkage     = 0x6E
	AttrKind        = 0x2900 // DW_AT_go_kind
	AttrKey         = 0x2901
	AttrElem        = 0x2902
	AttrRuntimeType = 0x2904
	AttrInClosure   = 0x2907 // DW_AT_go_closure_offset
)

// Languages of units that Loam makes.
const (
	LanguageGo       = 0x16
	LanguageAssembly = 0x8001
)

// Forms of attributes.
const (
	FormAddr        = 0x01
	FormBlock2      = 0x03
	FormBlock4      = 0x04
	FormData2       = 0x05
	FormData4       = 0x06
	FormData8       = 0x07
	FormString      = 0x08
	FormBlock       = 0x09
	FormBlock1      = 0x0A
	FormData1       = 0x0B
	FormFlag        = 0x0C
	FormSdata       = 0x0D
	FormStrp        = 0x0E
	FormUdata       = 0x0F
	FormRefAddr     = 0x10
	FormRef1        = 0x11
	FormRef2        = 0x12
	FormRef4        = 0x13
	FormRef8        = 0x14
	FormRefUdata    = 0x15
	FormSecOffset   = 0x17
	FormExprloc     = 0x18
	FormFlagPresent = 0x19
)
