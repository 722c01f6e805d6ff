// The default directory of a recording.
#pragma once

#include <filesystem>

namespace reveal::record {

// Returns "reveal-HOST-20261120-140307-4711", with the current UTC time and this process's number,
// and of a task of a batch job "-jobJOB-rankRANK" besides: where `reveal run` records unless told.
// No two tasks of a job share it.
std::filesystem::path default_directory();

}  // namespace reveal::record
