#include "page/page.h"

#include <cstddef>

#include <fmt/format.h>

#include "page/assets.h"
#include "page/codes.h"
#include "text/base64.h"
#include "text/html.h"

namespace reveal::page {
namespace {

std::string title(std::span<const HostPart> hosts) {
  std::string names;
  for (const auto& host : hosts) {
    if (!names.empty()) names += ", ";
    names += host.host;
  }
  return text::html_content(names);
}

void append_part(const HostPart& host, std::size_t number, std::string& out) {
  out += fmt::format(R"(<script type="application/json" class="report" data-host="{}">)", number);
  out += host.report;
  out += fmt::format(
      "</script>\n"
      R"(<script type="application/json" class="channels" data-host="{}">)",
      number);
  out += host.index;
  out += fmt::format(
      "</script>\n"
      R"(<script type="application/octet-stream" class="samples" data-host="{}">)",
      number);
  text::append_base64(host.blobs, out);
  out += "</script>\n";
}

}  // namespace

std::string page_text(std::span<const HostPart> hosts) {
  std::string out = R"(<!doctype html><html lang="en"><head><meta charset="utf-8">)"
                    R"(<meta name="viewport" content="width=device-width,initial-scale=1">)";
  out += fmt::format("<title>Reveal: {}</title><style>", title(hosts));
  out += style();
  out +=
      "</style></head><body><noscript>This page needs JavaScript; report.json holds the same "
      "findings.</noscript>\n";
  for (std::size_t i = 0; i < hosts.size(); ++i) append_part(hosts[i], i, out);
  out += "<script>";
  out += script();
  out += "</script></body></html>\n";
  return out;
}

}  // namespace reveal::page
