#include "model/process_use.h"

#include <gtest/gtest.h>

namespace reveal::model {
namespace {

ProcessUse example() {
  ProcessUse out;
  out.name = "tmux: server (1)";
  out.pid = 4242;
  out.start = 812345;
  out.seconds = 1.004;
  out.cores = 1.876;
  out.read = 0;
  out.written = 123'456'789;
  out.grown = -5'242'880;
  out.resident = 2'304.0 * 4096;
  out.faults = 3;
  out.group = "/system.slice/cron.service";
  return out;
}

TEST(ProcessUse, IsAnEventThatPeopleCanRead) {
  const auto note = note_of(example());
  EXPECT_EQ(note.kind, Note::Kind::kEvent);
  EXPECT_EQ(note.source, "process");
  EXPECT_EQ(note.subject, "tmux: server (1)");
  EXPECT_EQ(note.text,
            "pid=4242 start=812345 s=1.00 cpu=1.88 read=0 written=123000000 grown=-5240000 "
            "resident=9440000 faults=3 cg=/system.slice/cron.service");
}

TEST(ProcessUse, IsReadBack) {
  const auto back = process_use_of(note_of(example()));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->name, "tmux: server (1)");
  EXPECT_EQ(back->pid, 4242u);
  EXPECT_EQ(back->start, 812345u);
  EXPECT_DOUBLE_EQ(back->seconds, 1.00);
  EXPECT_DOUBLE_EQ(back->cores, 1.88);
  EXPECT_EQ(back->read, 0);
  EXPECT_EQ(back->written, 123'000'000);
  EXPECT_DOUBLE_EQ(back->io(), 123'000'000);
  EXPECT_DOUBLE_EQ(back->grown, -5'240'000);
  EXPECT_DOUBLE_EQ(back->resident, 9'440'000);
  EXPECT_DOUBLE_EQ(back->faults, 3);
  EXPECT_EQ(back->group, "/system.slice/cron.service");
}

TEST(ProcessUse, ThatIsStoppedSaysSo) {
  ProcessUse use = example();
  EXPECT_FALSE(process_use_of(note_of(use))->stopped);
  use.stopped = true;
  EXPECT_NE(note_of(use).text.find(" stopped=1 "), std::string::npos);
  EXPECT_TRUE(process_use_of(note_of(use))->stopped);
}

TEST(ProcessUse, WhatIsUnknownStaysUnknown) {
  ProcessUse use = example();
  use.read.reset();
  use.written.reset();
  use.group.clear();
  const auto back = process_use_of(note_of(use));
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->read);
  EXPECT_FALSE(back->written);
  EXPECT_EQ(back->group, "");
}

TEST(ProcessUse, OtherNotesAndDamagedOnesAreNone) {
  Note note = note_of(example());
  note.kind = Note::Kind::kFact;
  EXPECT_FALSE(process_use_of(note));
  note = note_of(example());
  note.source = "kmsg";
  EXPECT_FALSE(process_use_of(note));
  for (const auto* text : {"", "pid=0 s=1", "pid=1", "pid=x s=1", "pid=1 s=nan",
                           "pid=1 s=1 cpu=", "pid=1 s=1 cpu=1e999", "pid=-1 s=1", "pid=1 s=-1"}) {
    EXPECT_FALSE(process_use_of({Note::Kind::kEvent, "process", "a", text})) << text;
  }
}

}  // namespace
}  // namespace reveal::model
