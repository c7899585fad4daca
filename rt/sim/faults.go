package sim

// Faults is what goes wrong with the world, by settings: nothing does without one.
type Faults struct {
	DiskErrors  uint64 // one in so many operations of the disk fails (EIO); 0: none
	ShortWrites uint64 // one in so many writes writes a part only
	DiskRoom    uint64 // bytes that the disk has for what is written; 0: enough
	DiskTime    uint64 // nanoseconds that an operation of the disk takes at the most

	Latency    uint64 // nanoseconds that everything is longer on its way
	Bandwidth  uint64 // bytes a second of each connection's directions; 0: any
	Resets     uint64 // one in so many writes to a connection loses it
	Pieces     uint64 // one in so many writes to a TCP connection arrives in two pieces
	Loss       uint64 // one in so many datagrams of UDP is lost
	Duplicates uint64 // one in so many comes twice
	Reorder    uint64 // one in so many is overtaken by later ones
	Partitions uint64 // average nanoseconds between partitions, and of one; 0: there are none
	Names      string // name:address;name:address: what the resolver knows

	Signal   uint64 // that the process gets
	SignalAt uint64 // nanoseconds after the start
}

// set takes one setting over; known says whether it is one of these.
func (f *Faults) set(name, value string) (known, ok bool) {
	number, isNumber := parseNumber(value)
	switch name {
	case "diskerrors":
		f.DiskErrors = number
	case "shortwrites":
		f.ShortWrites = number
	case "diskroom":
		f.DiskRoom = number
	case "disktime":
		f.DiskTime = number
	case "latency":
		f.Latency = number
	case "bandwidth":
		f.Bandwidth = number
	case "resets":
		f.Resets = number
	case "pieces":
		f.Pieces = number
	case "loss":
		f.Loss = number
	case "duplicates":
		f.Duplicates = number
	case "reorder":
		f.Reorder = number
	case "partitions":
		f.Partitions = number
	case "names":
		f.Names = value
		return true, value != ""
	case "sigterm":
		const sigterm = 15
		f.Signal, f.SignalAt = sigterm, number
	default:
		return false, false
	}
	return true, isNumber && number < 1<<62
}

// IsFault reports whether name=value is one of the settings, and whether it can have that value.
func IsFault(name, value string) (known, ok bool) { return new(Faults).set(name, value) }

// FaultNames are the settings, for messages.
const FaultNames = "bandwidth, diskerrors, diskroom, disktime, duplicates, latency, loss, names, partitions, " +
	"pieces, reorder, resets, shortwrites, sigterm"
