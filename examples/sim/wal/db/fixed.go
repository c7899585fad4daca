package main

// settleInOrder empties the log when the pages are on the disk.
func settleInOrder(t *table) error {
	if err := t.writePages(); err != nil {
		return err
	}
	if err := t.file.Sync(); err != nil {
		return err
	}
	return t.emptyLog()
}
