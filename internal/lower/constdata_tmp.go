package lower

import "golang.org/x/tools/go/ssa"

func (m *module) staticInits() (map[*ssa.Global]string, map[ssa.Instruction]bool) { return nil, nil }
func (m *module) embeds()                                                        {}
