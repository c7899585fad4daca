package link

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"time"

	"loam/internal/machine/object"
	"loam/internal/timeline"
)

// A program carries the name of what it was linked from, as gc's programs do, in the note that `go
// tool buildid` reads. A build that would make the same program again leaves it as it is. Like the
// go command, it trusts the note and does not read the rest of the file.
const (
	idSection = ".note.go.buildid"
	idSize    = 64 // of a key in hexadecimal digits
	idTag     = 4  // ELF_NOTE_GOBUILDID_TAG
	gnuDigits = 40 // of the id in the note that other tools read
)

// IDs are the ids that -ldflags sets.
type IDs struct {
	Go    *string // -buildid: instead of the program's own; then each build links
	GNU   string  // -B: in hexadecimal digits, instead of one made of the program's own
	NoGNU bool    // -B none
}

// key is what the ids contribute to a program's key.
func (ids IDs) key() string {
	text := fmt.Sprintf("%s %v", ids.GNU, ids.NoGNU)
	if ids.Go != nil {
		text += " " + *ids.Go
	}
	return text
}

// note is what the linker is told of the note that debuggers and packagers of distributions read.
func (ids IDs) note(key string) string {
	switch {
	case ids.NoGNU:
		return "none"
	case ids.GNU != "":
		return "0x" + ids.GNU
	}
	return "0x" + key[:gnuDigits]
}

// idHead is what stands before the id: the sizes of owner and id, the tag, the owner.
var idHead = noteHead(idSize)

func noteHead(size int) []byte {
	head := binary.LittleEndian.AppendUint32(nil, 4)
	head = binary.LittleEndian.AppendUint32(head, uint32(size))
	head = binary.LittleEndian.AppendUint32(head, idTag)
	return append(head, "Go\x00\x00"...)
}

// writeNote writes the note: with the id that the user gave, none if that is empty, or with zeros
// in place of the program's own. That is known once all else of the object is.
func (ids IDs) writeNote(m *object.Maker) {
	head, id := idHead, strings.Repeat("\x00", idSize)
	if ids.Go != nil {
		if id = *ids.Go; id == "" {
			return
		}
		head = noteHead(len(id))
	}
	note := m.Part(idSection, object.Note, object.Alloc)
	note.Align(4)
	note.Bytes(head...)
	note.Text(id)
	note.Align(4)
}

// sealID writes the id into the program.
func sealID(program, id string) error {
	f, err := os.OpenFile(program, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	at, old, err := findID(f)
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	if len(id) != len(old) {
		return fmt.Errorf("%s: an id of %d bytes for a note of %d", program, len(id), len(old))
	}
	if _, err := f.WriteAt([]byte(id), at); err != nil {
		return err
	}
	return f.Close()
}

// findID returns a program's id and its offset in the file.
func findID(f *os.File) (at int64, id string, err error) {
	image, err := elf.NewFile(f)
	if err != nil {
		return 0, "", err
	}
	section := image.Section(idSection)
	if section == nil {
		return 0, "", fmt.Errorf("no section %s", idSection)
	}
	note, err := section.Data()
	if err != nil {
		return 0, "", err
	}
	if len(note) != len(idHead)+idSize || !bytes.HasPrefix(note, idHead) {
		return 0, "", fmt.Errorf("section %s has another form", idSection)
	}
	return int64(section.Offset) + int64(len(idHead)), string(note[len(idHead):]), nil
}

// leave reports whether out is the program that would be linked.
func leave(p *Program, out, id string, lane *timeline.Lane) bool {
	looking := lane.Begin(p.Main.ImportPath, "link")
	if !upToDate(out, id) {
		return false // the span of linking follows
	}
	looking.Note("%s is up to date", out)
	looking.End()
	return true
}

// upToDate reports whether the file out is the program with that id. If so it is as new as if it
// had been made now, for those who compare times.
func upToDate(out, id string) bool {
	st, err := os.Stat(out)
	if err != nil || !st.Mode().IsRegular() || st.Mode().Perm()&0o100 == 0 {
		return false
	}
	f, err := os.Open(out)
	if err != nil {
		return false
	}
	defer f.Close()
	if _, have, err := findID(f); err != nil || have != id {
		return false
	}
	now := time.Now()
	return os.Chtimes(out, now, now) == nil
}
