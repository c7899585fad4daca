// Package simulate is what the verbs run, test and sim have in common when runs are simulated: the
// flags (Flags), the hunt for a seed under which a subject fails (Subject), and what its user is
// told of that. Package simrun makes the runs; who builds the programs, and in what words a test is
// reported, is the verbs' business.
package simulate
