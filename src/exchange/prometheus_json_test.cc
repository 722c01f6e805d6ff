#include "exchange/prometheus_json.h"

#include <bit>

#include <gtest/gtest.h>

namespace reveal::exchange {
namespace {

base::Result<Gathering> gather(std::string text) {
  Gathering out;
  const ImportOptions options;
  const auto done = gather_prometheus_text(TextInput::from_memory(std::move(text), "f.json"),
                                           "stem", options, out);
  if (!done) return base::pass(done);
  return out;
}

std::string error_of(std::string text) {
  const auto gathered = gather(std::move(text));
  return gathered ? "none" : gathered.error().message();
}

std::string answer(std::string_view result) {
  return R"({"status":"success","data":{"resultType":"matrix","result":[)" + std::string(result) +
         "]}}";
}

TEST(PrometheusJson, KeepsValuesExactly) {
  const auto got = gather(answer(
      R"({"metric":{"__name__":"a_total","cpu":"0","instance":"h1:9100","job":"node"},
          "values":[[1700000000.123,"18446744073709551615"],[1700000015,"7"]]},
         {"values":[[1.7e9,"+Inf"],[1700000001,"NaN"],[1700000002,"-0.25"]],"metric":{}})"));
  ASSERT_TRUE(got) << got.error().message();
  ASSERT_EQ(got->all().size(), 2u);
  const auto& a = got->all()[0];
  EXPECT_EQ(a.metric, "a_total");
  EXPECT_EQ(a.instance, "cpu=0");
  EXPECT_EQ(a.host, "h1");
  EXPECT_EQ(a.bits, (std::vector<std::uint64_t>{18446744073709551615u, 7}));
  EXPECT_EQ(a.times_ns, (std::vector<std::int64_t>{1700000000'123000000, 1700000015'000000000}));
  const auto& b = got->all()[1];
  EXPECT_EQ(b.metric, "stem");
  EXPECT_EQ(b.times_ns.size(), 2u);
  EXPECT_EQ(std::bit_cast<double>(b.bits[1]), -0.25);
}

TEST(PrometheusJson, TellsJobsApartWhereTheyCollide) {
  const auto got = gather(answer(R"({"metric":{"__name__":"up","job":"x"},"values":[[1,"1"]]},
                                    {"metric":{"__name__":"up","job":"y"},"values":[[1,"0"]]})"));
  ASSERT_TRUE(got);
  ASSERT_EQ(got->all().size(), 2u);
  EXPECT_EQ(got->all()[1].instance, "job=y");
}

TEST(PrometheusJson, TakesABareResult) {
  const auto got = gather(R"([{"metric":{"__name__":"up"},"values":[[1,"1"],[2,"0"]]}])");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->all()[0].times_ns.size(), 2u);
}

TEST(PrometheusJson, IgnoresWhatItDoesNotKnow) {
  const auto got = gather(R"({"status":"success","warnings":["w",[1,2]],"data":{"stats":{"x":[[1]]},
    "resultType":"matrix","result":[{"metric":{"__name__":"up"},"histograms":[[1,{"count":"1"}]],
    "values":[[1,"1"]]}]}})");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->all()[0].times_ns.size(), 1u);
}

TEST(PrometheusJson, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of(R"({"status":"error","errorType":"bad_data","error":"parse error"})"),
            "f.json: is an answer of status error: parse error (correct the query and ask again)");
  EXPECT_EQ(error_of("{}").substr(0, 38), "f.json: is not the result of a query (");
  EXPECT_EQ(error_of("").substr(0, 16), "f.json, byte 1: ");
  EXPECT_EQ(error_of(answer(R"({"metric":{},"values":[[1,"1"],[2,"x"]]})")).substr(0, 49),
            "f.json, series 1: sample 2: \"x\" is not a number (");
  EXPECT_EQ(error_of(answer(R"({"metric":{},"values":[["x","1"]]})")).substr(0, 47),
            "f.json, series 1: sample 1: \"x\" is not a time (");
  EXPECT_EQ(error_of(answer(R"({"metric":{},"values":[[1]]})")).substr(0, 50),
            "f.json, series 1: sample 1 is not a pair of a time");
  EXPECT_NE(error_of(R"({"status":"success","data":{"resultType":"scalar","result":[1,"1"]}})")
                .find("not a matrix"),
            std::string::npos);
}

}  // namespace
}  // namespace reveal::exchange
