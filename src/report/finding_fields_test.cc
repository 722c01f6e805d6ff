#include "report/finding_fields.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "feature/feature.h"
#include "report/json.h"
#include "report/seen_fields.h"

namespace reveal::report {
namespace {

using nlohmann::ordered_json;
using testing::ElementsAre;

// A report with one of everything in each list.
Report made() {
  Report out;
  model::ChannelTable channels;
  model::MetricDescriptor metric;
  metric.name = "storage_read_sectors_total";
  metric.unit = "sectors";
  metric.label = "Disk read sectors";
  metric.alias = "read_sectors";
  metric.subsystem = model::Subsystem::kStorage;
  const auto channel = channels.add_channel(channels.add_metric(metric), "dev=sda");
  out.channel_table = std::make_shared<const model::ChannelTable>(std::move(channels));
  out.moves_with = {channel};
  attribute::Finding finding;
  attribute::Evidence evidence{
      {channel, feature::FeatureId(0)}, 2.5, 1, 0.5, 0.75, window::WindowId(6)};
  finding.windows.resize(2);
  finding.windows[0].span = {window::WindowId(4), 0, 0, 0, 0};
  finding.windows[0].span.begin_ns = 1'700'000'000'000'000'000;
  finding.windows[1].span = finding.windows[0].span;
  finding.windows[1].span.id = window::WindowId(6);
  finding.windows[1].span.end_ns = 1'700'000'003'500'000'000;
  finding.windows[0].detectors = {{"zscore", 9, {evidence}}};
  finding.windows[1].detectors = {{"zscore", 9, {evidence}}, {"saturation", 9, {}}};
  finding.detectors = {"zscore", "saturation"};
  finding.agreement = 3;
  finding.stall = {channel, "", 4.5};
  finding.severity = {4.5, attribute::SeverityBasis::kStall};
  finding.by_chance = 0.25;
  finding.subsystems = {0.25, 0, 0, 0, 0.75};
  finding.evidence = {evidence};
  finding.claim = "it is slow";
  finding.telling = evidence;
  finding.patterns = {{&attribute::patterns()[1], {}, {}}, {&attribute::patterns()[0], {}, {}}};
  finding.begin_edge = attribute::Edge{1'700'000'000'300'000'000, 100'000'000};
  finding.end_edge = attribute::Edge{1'700'000'003'100'000'000, 200'000'000};
  finding.onsets = {{model::Subsystem::kStorage, *finding.begin_edge},
                    {model::Subsystem::kCpu, {1'700'000'000'700'000'000, 100'000'000}},
                    {model::Subsystem::kMemory, {1'700'000'000'400'000'000, 100'000'000}}};
  finding.companions = {{channel, channel, -0.934, -300'000'000, 2500, 500, 0.123}};
  finding.culprit = {channel, 0.9, 0.1};
  finding.sufferer = {channel, 0.5, 0.2};
  finding.process = {"python3", "/job", 4242, 2, model::Subsystem::kCpu, 1.88, 0.02, 0.93};
  finding.no_process = "";
  finding.harm = {"cg=/job",
                  1'700'000'001'000'000'000,
                  1'700'000'003'000'000'000,
                  true,
                  {0.4, 0.02, 1.2, 0.04, 2}};
  finding.incident = 3;
  finding.incident_place = 1;
  out.findings = {finding, finding};
  out.findings[0].incident_place = 2;
  out.findings[0].begin_edge->at_ns += 1'400'000'000;
  out.changes = {finding};
  out.low_confidence = {finding};
  return out;
}

FieldType type_of(const Value& value) {
  static constexpr FieldType kTypes[] = {FieldType::kTruth, FieldType::kCount, FieldType::kReal,
                                         FieldType::kText,  FieldType::kTexts, FieldType::kTime,
                                         FieldType::kShares};
  return kTypes[value.index() - 1];
}

// Lower case and _, a letter at either end.
bool is_name(std::string_view text) {
  const auto fits = [](char c) { return c == '_' || ('a' <= c && c <= 'z'); };
  return text.size() >= 2 && text.front() != '_' && text.back() != '_' &&
         std::all_of(text.begin(), text.end(), fits);
}

template <typename Subject>
void expect_sound(std::span<const Field<Subject>> fields, const Subject& subject) {
  // No word of SQL that needs quotes.
  const std::set<std::string_view> reserved{"group", "order", "table", "window", "select", "limit"};
  std::set<std::string_view> names;
  for (const auto& field : fields) {
    EXPECT_TRUE(is_name(field.name)) << field.name;
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_FALSE(reserved.contains(field.name)) << field.name;
    EXPECT_FALSE(field.help.empty()) << field.name;
    EXPECT_NE(field.help.back(), '.') << field.name;
    EXPECT_EQ(field.help.find('|'), std::string_view::npos) << field.name;
    const auto value = field.get(subject);
    ASSERT_NE(value.index(), 0U) << field.name << ": the finding of this test should have it";
    EXPECT_EQ(type_of(value), field.type) << field.name;
  }
}

// The names of the columns that stand for an object: paths, joined by _.
std::vector<std::string> paths_of(const ordered_json& object, const std::set<std::string>& whole) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.items()) {
    if (!value.is_object() || whole.contains(key)) {
      out.push_back(key);
      continue;
    }
    for (const auto& [inner, ignored] : value.items()) out.push_back(key + "_" + inner);
  }
  return out;
}

std::vector<std::string> names_of(std::span<const Column> columns) {
  std::vector<std::string> out;
  for (const auto& column : columns) out.push_back(column.name);
  return out;
}

TEST(FindingFields, WhatANameIs) {
  for (const auto* name : {"claim", "begin_ns", "ab"}) EXPECT_TRUE(is_name(name)) << name;
  for (const auto* other : {"", "a", "_a", "a_", "Claim", "a2b", "a b", "a-b", "a\tb"}) {
    EXPECT_FALSE(is_name(other)) << other;
  }
}

TEST(FindingFields, EachHasANameAMeaningAndAValueOfItsType) {
  const auto report = made();
  const FindingAt finding{report, report.findings[0], 1};
  expect_sound(finding_fields(), finding);
  const EvidenceAt evidence{report, report.findings[0].evidence[0], 1};
  expect_sound(evidence_fields(), evidence);
  expect_sound(seen_fields(), SeenEvidence{report, report.findings[0], evidence.evidence});
}

TEST(FindingFields, EvidenceSaysWhereItWasSeenAndByWhom) {
  auto report = made();
  const auto& finding = report.findings[0];
  const auto cells = cells_of(seen_fields(), SeenEvidence{report, finding, finding.evidence[0]});
  EXPECT_THAT(names_of(seen_columns()),
              ElementsAre("window_id", "window_begin_ns", "window_begin_utc", "window_end_ns",
                          "window_end_utc", "detectors", "claim"));
  ASSERT_EQ(cells.size(), 7U);
  EXPECT_EQ(std::get<std::uint64_t>(cells[0]), 6U);
  EXPECT_EQ(std::get<std::int64_t>(cells[1]), 1'700'000'000'000'000'000);
  EXPECT_EQ(std::get<std::int64_t>(cells[3]), 1'700'000'003'500'000'000);
  EXPECT_EQ(std::get<std::string>(cells[5]), "zscore, saturation");
  EXPECT_THAT(std::get<std::string>(cells[6]), testing::StartsWith("Disk read sectors"));
}

TEST(FindingFields, EvidenceOfAWindowThatTheFindingLacksHasNone) {
  auto report = made();
  report.findings[0].evidence[0].seen_in = window::WindowId(5);
  const auto& finding = report.findings[0];
  const auto cells = cells_of(seen_fields(), SeenEvidence{report, finding, finding.evidence[0]});
  ASSERT_EQ(cells.size(), 7U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_TRUE(std::holds_alternative<std::monostate>(cells[i])) << i;
  }
  EXPECT_EQ(std::get<std::string>(cells[5]), "");
}

TEST(FindingFields, ColumnsAreCalledAsJsonCallsThePaths) {
  const auto json = ordered_json::parse(to_json(made()));
  auto paths = paths_of(json["findings"][0], {});
  ASSERT_THAT(std::vector(paths.end() - 4, paths.end()),
              ElementsAre("onsets", "companions", "evidence", "windows"));
  paths.resize(paths.size() - 4);
  EXPECT_EQ(paths, names_of(finding_columns()));
  auto columns = names_of(evidence_columns());
  for (const auto* in_tables : {"place", "metric", "instance"}) {
    EXPECT_EQ(std::erase(columns, in_tables), 1U) << in_tables;
  }
  EXPECT_EQ(paths_of(json["findings"][0]["evidence"][0], {}), columns);
}

TEST(FindingFields, JsonHasTheListsWithTheSameFields) {
  const auto json = ordered_json::parse(to_json(made()));
  std::vector<std::string_view> names;
  for (const auto& list : finding_lists()) {
    names.push_back(list.name);
    ASSERT_FALSE(json[std::string(list.name)].empty()) << list.name;
    EXPECT_EQ(paths_of(json[std::string(list.name)][0], {}), paths_of(json["findings"][0], {}));
  }
  EXPECT_THAT(names, ElementsAre("findings", "changes", "low_confidence"));
  const auto& second = json["findings"][1];
  EXPECT_EQ(second["finding"], 2);
  EXPECT_EQ(second["claim_channel"], "storage_read_sectors_total{dev=sda}");
  EXPECT_EQ(second["subsystem"], "storage");
  EXPECT_EQ(second["subsystem_shares"]["cpu"], 0.25);
  EXPECT_EQ(second["begin"]["ns"], 1'700'000'000'300'000'000);
  EXPECT_EQ(second["begin_error_seconds"], 0.1);
  EXPECT_EQ(second["windows"][0]["begin"]["ns"], 1'700'000'000'000'000'000);
  EXPECT_EQ(second["onset_order"], "Order: storage and memory changed first, cpu 0.4 s later.");
  EXPECT_EQ(second["moved_along"],
            "Along with it: Disk read sectors on sda rose to 2500 sectors (usually 500 sectors), "
            "0.3 s earlier (correlation -0.93, elsewhere 0.12).");
  EXPECT_EQ(second["companions"][0]["channel"], "storage_read_sectors_total{dev=sda}");
  EXPECT_EQ(second["companions"][0]["lag_seconds"], -0.3);
  EXPECT_EQ(second["companions"][0]["usual_correlation"], 0.123);
  EXPECT_EQ(second["incident"], 3);
  EXPECT_EQ(second["incident_order"], "Incident: finding 1 followed, so this is the likely cause.");
  EXPECT_EQ(json["findings"][0]["incident_order"],
            "Incident: it followed finding 2, which began 1.4 s earlier.");
  auto live = made();
  live.is_numbered = false;
  const auto unnumbered = ordered_json::parse(to_json(live))["findings"];
  EXPECT_EQ(unnumbered[0]["incident_order"],
            "Incident: it followed a finding of storage, which began 1.4 s earlier.");
  EXPECT_EQ(unnumbered[1]["incident_order"], "Incident: a finding of " +
                                                 unnumbered[0]["subsystem"].get<std::string>() +
                                                 " followed, so this is the likely cause.");
  EXPECT_EQ(second["onsets"][1]["subsystem"], "cpu");
  EXPECT_EQ(second["onsets"][1]["time"]["ns"], 1'700'000'000'700'000'000);
  EXPECT_EQ(second["onsets"][1]["error_seconds"], 0.1);
  EXPECT_EQ(second["last_window"], 6);
  EXPECT_EQ(second["remedy"], attribute::patterns()[1].remedy);
  EXPECT_EQ(second["patterns"][1]["name"], attribute::patterns()[0].name);
  EXPECT_EQ(second["by_chance"], 0.25);
}

TEST(FindingFields, CellsStandInTheOrderOfTheColumns) {
  const auto report = made();
  const auto cells = cells_of(finding_fields(), FindingAt{report, report.findings[1], 2});
  const auto columns = finding_columns();
  ASSERT_EQ(cells.size(), columns.size());
  const auto cell = [&](std::string_view name) {
    const auto at = std::find_if(columns.begin(), columns.end(),
                                 [&](const Column& column) { return column.name == name; });
    EXPECT_NE(at, columns.end()) << name;
    return cells[static_cast<std::size_t>(at - columns.begin())];
  };
  EXPECT_EQ(std::get<std::uint64_t>(cell("finding")), 2U);
  EXPECT_EQ(std::get<std::int64_t>(cell("end_ns")), 1'700'000'003'100'000'000);
  EXPECT_EQ(std::get<WallTime>(cell("end_utc")).ns, 1'700'000'003'100'000'000);
  EXPECT_EQ(std::get<double>(cell("subsystem_shares_storage")), 0.75);
  EXPECT_EQ(std::get<std::string>(cell("detectors")), "zscore, saturation");
  EXPECT_EQ(std::get<double>(cell("severity")), 4.5);
}

TEST(FindingFields, WhatIsNotKnownIsNoValueEverywhere) {
  auto report = made();
  auto& finding = report.findings[0];
  finding.by_chance.reset();
  finding.end_edge.reset();
  finding.onsets.resize(1);
  finding.companions.clear();
  finding.telling.reset();
  finding.evidence[0].baseline_mad = std::numeric_limits<double>::quiet_NaN();
  finding.patterns[0].against = {{model::ChannelId(0), 1, 2}};  // then it is no advice
  const auto json = ordered_json::parse(to_json(report))["findings"][0];
  EXPECT_TRUE(json["by_chance"].is_null());
  EXPECT_EQ(json["claim_channel"], "");
  EXPECT_TRUE(json["end_error_seconds"].is_null());
  EXPECT_EQ(json["end"]["ns"], 1'700'000'003'500'000'000);  // its last window's
  EXPECT_EQ(json["onset_order"], "");
  EXPECT_EQ(json["moved_along"], "");
  EXPECT_EQ(json["remedy"], "");
  EXPECT_TRUE(json["evidence"][0]["baseline_mad"].is_null());
  const auto cells = cells_of(finding_fields(), FindingAt{report, finding, 1});
  ASSERT_EQ(cells.size(), finding_columns().size());
  EXPECT_TRUE(std::holds_alternative<std::monostate>(cells.back()));  // by_chance
}

}  // namespace
}  // namespace reveal::report
