package disk

// Error numbers of linux.
const (
	EPERM        = 1
	ENOENT       = 2
	EIO          = 5
	EBADF        = 9
	EACCES       = 13
	EBUSY        = 16
	EEXIST       = 17
	EXDEV        = 18
	ENOTDIR      = 20
	EISDIR       = 21
	EINVAL       = 22
	EFBIG        = 27
	ENOSPC       = 28
	ENAMETOOLONG = 36
	ENOTEMPTY    = 39
	ELOOP        = 40
)
