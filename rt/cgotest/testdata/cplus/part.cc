#include <stdexcept>
#include <string>
#include <vector>
#include "part.h"

namespace {
struct Begin { int n; Begin() : n(40) {} } begun;
thread_local int calls = 0;
}

extern "C" int plus_plus(int n) {
	std::vector<int> v;
	for (int i = 0; i < n; i++) v.push_back(i);
	try {
		if (n > 3) throw std::runtime_error("large");
	} catch (const std::exception &e) {
		return -(int)std::string(e.what()).size();
	}
	calls++;
	return begun.n + (int)v.size();
}
