#!/usr/bin/env python3
"""Plants each violation in a tree of its own and checks that check_dag.py finds just that one."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import check_dag

TABLE = """
# reveal_module(comment DEPS nothing)
reveal_module(base DEPS fmt::fmt)
reveal_module(model DEPS base)
reveal_module(store DEPS model
              ZLIB::ZLIB)
reveal_module(derive DEPS model)
reveal_module(collect DEPS model)
reveal_module(probes DEPS collect)
"""


def source(module, *includes):
    lines = [f'#include "{path}"' for path in includes]
    return "\n".join(["#include <vector>", *lines, f"namespace reveal::{module} {{}}", ""])


class CheckDagTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("CMakeLists.txt", TABLE)
        self.write("src/base/result.h", source("base"))
        self.write("src/model/frame.h", source("model", "base/result.h"))
        self.write("src/store/segment.cc", source("store", "model/frame.h", "base/result.h"))
        self.write("src/derive/deriver.h", source("derive", "model/frame.h"))
        self.write("src/main.cc", '#include "store/segment.h"\nint main() {}\n')

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_check(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = check_dag.main([str(self.root)])
        return status, output.getvalue().splitlines()

    def expect(self, status, *lines):
        self.assertEqual(self.run_check(), (status, list(lines)))

    def test_a_sound_tree_passes(self):
        self.expect(0)

    def test_an_include_sideways(self):
        self.write("src/derive/rate.cc", source("derive", "model/frame.h", "store/segment.cc"))
        self.expect(1, 'src/derive/rate.cc:3: derive may not include store ("store/segment.cc")')

    def test_a_library_that_the_row_does_not_name(self):
        self.write("src/model/frame.h", "#include <zlib.h>\n" + source("model"))
        self.expect(1, "src/model/frame.h:1: model may not include <zlib.h>: its row does not name ZLIB::ZLIB")

    def test_a_library_that_only_a_module_below_names(self):
        self.write("CMakeLists.txt", TABLE + "reveal_module(top DEPS store)\n")
        self.write("src/top/top.cc", "#include <zlib.h>\n" + source("top", "store/segment.cc"))
        self.expect(1, "src/top/top.cc:1: top may not include <zlib.h>: its row does not name ZLIB::ZLIB")

    def test_libraries_that_may_be_included(self):
        self.write("src/store/segment.cc", "#include <zlib.h>\n#include <fmt/format.h>\n" + source("store"))
        self.expect(0)

    def test_headers_of_one_library_by_file_and_by_folder(self):
        self.write("src/model/frame.h", "#include <thread>\n#include <netinet/in.h>\n#include <threads>\n" + source("model"))
        self.expect(1, "src/model/frame.h:1: model may not include <thread>: its row does not name Threads::Threads",
                    "src/model/frame.h:2: model may not include <netinet/in.h>: its row does not name system::sockets")

    def test_tests_and_what_is_for_them_may_include_any_library(self):
        for path in ("src/model/frame_test.cc", "src/model/testing/made.h"):
            self.write(path, "#include <gmock/gmock.h>\n#include <thread>\n" + source("model"))
        self.expect(0)

    def test_a_library_for_tests_in_a_source(self):
        self.write("src/model/frame.h", "#include <gtest/gtest.h>\n" + source("model"))
        self.expect(1, "src/model/frame.h:1: model may not include <gtest/gtest.h>: its row does not name GTest::gtest")

    def test_a_result_spelled_the_other_way(self):
        self.write("src/derive/rate.cc", source("derive") + "return tl::make_unexpected(x);\n")
        self.expect(1, "src/derive/rate.cc:3: tl:: is for base alone; write base::pass(result) or base::Unexpected(error)")

    def test_a_thread_started_the_other_way(self):
        for line in ("std::thread([] {}).detach();", "std::thread t(f);", "std::jthread t{f};",
                     "auto a = std::async(f);", "pthread_create(&t, 0, f, 0);"):
            self.write("src/derive/rate.cc", source("derive") + line + "\n")
            self.expect(1, "src/derive/rate.cc:3: threads are started by base::start_thread alone: others throw")
        self.write("src/derive/rate.cc", source("derive") + "std::thread thread_;\n")
        self.expect(0)

    def test_a_file_written_the_other_way(self):
        for line in ("std::ofstream out(path);", "fopen(path, w);", "::open(p, O_WRONLY | O_CREAT, 0644);"):
            self.write("src/derive/rate.cc", source("derive") + line + "\n")
            self.expect(1, "src/derive/rate.cc:3: files are written by base::NewFile alone: others follow links")
        self.write("src/derive/rate.cc", source("derive") + "::open(p, O_CREAT | O_EXCL, 0644);\n")
        for path in ("src/derive/rate_test.cc", "src/derive/testing/made.h"):
            self.write(path, source("derive") + "std::ofstream out(path);\n")
        self.expect(0)

    def test_an_include_upwards(self):
        self.write("src/base/rng.h", source("base", "model/frame.h"))
        self.expect(1, 'src/base/rng.h:2: base may not include model ("model/frame.h")')

    def test_a_test_may_do_no_more_than_its_module(self):
        self.write("src/derive/rate_test.cc", source("derive", "store/segment.cc"))
        self.expect(1, 'src/derive/rate_test.cc:2: derive may not include store ("store/segment.cc")')

    def test_an_include_without_its_module(self):
        self.write("src/model/metric.cc", source("model", "frame.h"))
        self.expect(1, 'src/model/metric.cc:2: "frame.h" does not name a module; write "module/file.h"')

    def test_an_include_of_nothing(self):
        self.write("src/model/metric.cc", source("model", "base/none.h"))
        self.expect(1, 'src/model/metric.cc:2: "base/none.h" does not exist')

    def test_spaces_do_not_hide_an_include(self):
        self.write("src/base/rng.h", '  #  include "model/frame.h"\nnamespace reveal::base {}\n')
        self.expect(1, 'src/base/rng.h:1: base may not include model ("model/frame.h")')

    def test_a_foreign_namespace(self):
        self.write("src/base/rng.h", source("base") + "namespace reveal::model {}\n")
        self.expect(1, "src/base/rng.h:3: namespace reveal::model in module base")

    def test_no_namespace(self):
        self.write("src/base/rng.h", "int rng();\n")
        self.expect(1, "src/base/rng.h:1: declares no namespace reveal::base")

    def test_folders_that_may_be_included(self):
        self.write("src/collect/collector.h", source("collect", "model/frame.h"))
        self.write("src/collect/testing/host.h", source("collect", "collect/collector.h"))
        self.write("src/collect/parts/files.h", source("collect", "collect/collector.h"))
        self.write("src/collect/cpu/cores.h", source("collect"))
        self.write("src/collect/cpu/stat.cc", source("collect", "collect/cpu/cores.h", "collect/collector.h",
                                                     "collect/parts/files.h", "base/result.h"))
        self.write("src/collect/cpu/stat_test.cc", source("collect", "collect/testing/host.h"))
        self.write("src/probes/source.h", source("probes", "collect/collector.h", "collect/testing/host.h"))
        self.expect(0)

    def test_a_folder_of_another_subject(self):
        self.write("src/collect/memory/nodes.h", source("collect"))
        self.write("src/collect/cpu/stat.cc", source("collect", "collect/memory/nodes.h"))
        self.write("src/collect/parts/files.h", source("collect", "collect/memory/nodes.h"))
        self.write("src/collect/registry.cc", source("collect", "collect/memory/nodes.h"))
        self.write("src/probes/source.cc", source("probes", "collect/memory/nodes.h"))
        what = '{} may not include collect/memory ("collect/memory/nodes.h")'
        self.expect(1, "src/collect/cpu/stat.cc:2: " + what.format("collect/cpu"),
                    "src/collect/parts/files.h:2: " + what.format("collect/parts"),
                    "src/collect/registry.cc:2: " + what.format("collect"),
                    "src/probes/source.cc:2: " + what.format("probes"))

    def test_what_is_common_to_folders_is_not_for_the_module_itself(self):
        self.write("src/collect/parts/files.h", source("collect"))
        self.write("src/collect/collector.h", source("collect", "collect/parts/files.h"))
        self.expect(1, 'src/collect/collector.h:2: collect may not include collect/parts ("collect/parts/files.h")')

    def test_a_folder_that_is_no_module(self):
        self.write("src/extra/drawer.h", source("extra"))
        self.expect(1, "src/extra:1: not a module of CMakeLists.txt")

    def test_a_cycle(self):
        self.write("CMakeLists.txt", TABLE.replace("fmt::fmt", "derive"))
        self.expect(2, "CMakeLists.txt: modules in a cycle: base -> derive -> model -> base")

    def test_an_unknown_module_in_a_row(self):
        self.write("CMakeLists.txt", TABLE + "reveal_module(cli DEPS pipeline)\n")
        status, lines = self.run_check()
        self.assertEqual(status, 2)
        self.assertIn("module cli names pipeline, which is no module", lines[0])

    def test_no_table(self):
        self.write("CMakeLists.txt", "project(other)\n")
        self.assertEqual(self.run_check()[0], 2)


if __name__ == "__main__":
    unittest.main()
