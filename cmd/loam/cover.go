package main

// coverPlan is what -cover asks for.
type coverPlan struct{}

func (t *testRun) planCover() (*coverPlan, error)      { return nil, nil }
func (t *testRun) instrument(q *testedPackage) error   { return nil }
func (r *oneRun) reportUntested(q *testedPackage) bool { return false }
func (c *coverPlan) identity() string                  { return "" }
func (c *coverPlan) prepareDir(dir string) error       { return nil }

type mergedProfile struct{}

func (t *testRun) openProfile() error          { return nil }
func (m *mergedProfile) close() error          { return nil }
func (m *mergedProfile) merge(file string)     {}
func (m *mergedProfile) mergeText(text []byte) {}
