#include "agent/evidence_archive.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "agent/evidence.h"
#include "agent/finding_file.h"
#include "base/whole_file.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

constexpr std::size_t kBlock = 512;

// A member's head. Source: POSIX.1-2017, pax, "ustar Interchange Format": each field has its place,
// numbers are octal, and the checksum is the sum of all bytes with blanks in its own place.
std::string head_of(const std::string& name, std::size_t size) {
  std::string out(kBlock, '\0');
  const auto put = [&](std::size_t at, std::string_view text) {
    out.replace(at, text.size(), text);
  };
  put(0, std::string_view(name).substr(0, 100));
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, fmt::format("{:011o}", size));
  put(136, "00000000000");
  put(148, "        ");
  put(156, "0");
  put(257, "ustar");
  put(263, "00");
  const auto sum = std::accumulate(out.begin(), out.end(), 0U, [](unsigned so_far, char c) {
    return so_far + static_cast<unsigned char>(c);
  });
  put(148, fmt::format("{:06o}", sum));
  out[154] = '\0';
  return out;
}

Result<std::vector<fs::path>> files_in(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (at->is_regular_file(failed)) out.push_back(at->path());
  }
  if (failed) return base::fail_errno(failed.value(), "cannot read", folder.string());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

Result<std::string> evidence_archive(const fs::path& findings, const std::string& id) {
  const auto folder = folder_of(findings, id);
  if (!folder) return base::fail(ErrorKind::kAbsent, "there is no finding with this id", id);
  const auto evidence = *folder / kEvidenceFolder;
  if (const auto since = evidence_gone_since(*folder)) {
    return base::fail(ErrorKind::kAbsent,
                      fmt::format("the frames of this finding are not kept since {}", *since), id,
                      "record.max_size leaves room for newer ones");
  }
  std::error_code ignored;
  if (!fs::is_directory(evidence, ignored)) {
    return base::fail(ErrorKind::kAbsent, "the frames of this finding are not kept yet", id,
                      "they are half a minute after its end");
  }
  const auto files = files_in(evidence);
  if (!files) return base::pass(files);
  std::string out;
  for (const auto& file : *files) {
    const auto bytes = base::read_whole_file(file, "evidence", kMostEvidenceBytes);
    if (!bytes) return base::pass(bytes);
    out += head_of(fmt::format("{}/{}", id, file.filename().string()), bytes->size());
    out += *bytes;
    out.resize((out.size() + kBlock - 1) / kBlock * kBlock);
    if (out.size() > kMostEvidenceBytes) {
      return base::fail(ErrorKind::kUsage, "the evidence is too large for an answer",
                        evidence.string(), "copy the folder");
    }
  }
  out.resize(out.size() + 2 * kBlock);  // the end
  return out;
}

}  // namespace reveal::agent
