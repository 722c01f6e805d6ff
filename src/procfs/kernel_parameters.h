// The kernel's command line, /proc/cmdline, as it may be told to others.
// https://docs.kernel.org/admin-guide/kernel-parameters.html
//
// It says how a host was started, and much that is nobody's business: names, addresses, keys of
// disks. So the value of a parameter is told only if the parameter is known to bear on speed and
// to say nothing else; of others their names are. What stands behind "--" is for init, and left
// out.
#pragma once

#include <string>
#include <string_view>

namespace reveal::procfs {

// Sets `out` to the parameters in their order: "ro root=... mitigations=off". Nothing of a line
// that is not complete is told.
void tell_kernel_parameters(std::string_view text, std::string& out);

}  // namespace reveal::procfs
