// Several files of settings as one text, for whoever hands it on in one piece.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reveal::settings {

struct FileText {
  std::string name;
  std::string text;  // without NUL, which TOML does not know
};

// Returns the texts as one. The name of the first is not in it: whoever reads it knows that.
std::string joined_text(const std::vector<FileText>& files);

// Returns the texts of joined_text(). Any text without NUL is that of one file.
std::vector<FileText> parted_text(std::string_view joined, const std::string& first_name);

}  // namespace reveal::settings
