package testing

// runtime_beginRun begins what the seed of a simulated run decides, if that is to begin with the
// test (LOAMSIM=begin=test). Provided by overlay/runtime.
func runtime_beginRun()

// beginRun is called before each test's function.
func (t *T) beginRun() {
	if t.level == 1 {
		runtime_beginRun()
	}
}
