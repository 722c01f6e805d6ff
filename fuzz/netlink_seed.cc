// Writes the seeds of fuzz_netlink into a folder: an answer about one socket, one RDMA device and
// one queueing discipline, its attributes alone, and the memory of a module. Made here, because
// they are binary.
#include <filesystem>
#include <fstream>
#include <string>

#include "netlink/message_bytes.h"

namespace {

namespace fs = std::filesystem;
using reveal::netlink::MessageBytes;

MessageBytes socket_answer() {
  MessageBytes info;
  info.zeros(8);
  for (std::uint64_t i = 0; i < 56; ++i) info.u32(i);
  MessageBytes out;
  return out.zeros(72).attribute(2, info);
}

MessageBytes device_answer() {
  MessageBytes entry;
  entry.attribute(17, MessageBytes().text("qp")).attribute(18, MessageBytes().u64(512));
  MessageBytes summary;
  summary.attribute(16, entry);
  MessageBytes out;
  return out.attribute(2, MessageBytes().text("mlx5_0")).attribute(15, summary);
}

MessageBytes qdisc_answer() {
  MessageBytes queue;
  queue.u32(7).u32(9000).u32(5).u32(3).u32(2);
  MessageBytes out;
  out.u32(0).u32(4).u32(0).u32(0xFFFFFFFF).u32(2);
  return out.attribute(1, MessageBytes().text("fq_codel"))
      .attribute(7, MessageBytes().attribute(3, queue));
}

void write(const fs::path& file, char first, const MessageBytes& bytes) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.put(first);
  for (const std::byte byte : bytes.bytes()) out.put(static_cast<char>(byte));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const fs::path folder = argv[1];
  fs::create_directories(folder);
  MessageBytes messages;
  messages.message(20, socket_answer()).message(5129, device_answer());
  messages.message(36, qdisc_answer());
  write(folder / "messages", '0', messages);
  MessageBytes attributes;
  write(folder / "attributes", '1', attributes.zeros(8).attribute(1, MessageBytes().u32(7)));
  MessageBytes module;
  for (std::uint64_t i = 0; i < 320; ++i) module.u16(i * 257);
  write(folder / "module", '2', module);
  return 0;
}
