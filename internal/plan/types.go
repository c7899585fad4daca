package plan

import "go/types"

func under(t types.Type) types.Type { return types.Unalias(t).Underlying() }

// basicKind is the kind of a basic type, types.Invalid for others.
func basicKind(t types.Type) types.BasicKind {
	if b, ok := under(t).(*types.Basic); ok {
		return b.Kind()
	}
	return types.Invalid
}

// basicInfo is what is known of a basic type's kind, 0 for others.
func basicInfo(t types.Type) types.BasicInfo {
	if b, ok := under(t).(*types.Basic); ok {
		return b.Info()
	}
	return 0
}

func isString(t types.Type) bool { return basicInfo(t)&types.IsString != 0 }
