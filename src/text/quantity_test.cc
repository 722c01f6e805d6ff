#include "text/quantity.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

TEST(Quantity, NumbersReadAsInTheClaims) {
  const auto check = [](double value, const char* expected) {
    EXPECT_EQ(format_number(value), expected);
  };
  check(0, "0");
  check(-0.0, "0");
  check(7, "7");
  check(120, "120");
  check(9999, "9999");
  check(10000, "10 000");
  check(41943, "41 943");
  check(-41943, "-41 943");
  check(1234567.8, "1 234 568");
  check(123456789, "123 456 789");
  check(0.5, "0.5");
  check(0.1234567, "0.1235");
  check(1.5, "1.5");
  check(12.34, "12.3");
  check(99.97, "100");
  check(0.00001, "1.00e-05");
  check(1e18, "1e+18");
  check(std::numeric_limits<double>::quiet_NaN(), "undefined");
  check(-std::numeric_limits<double>::infinity(), "-infinite");
}

TEST(Quantity, UnitsChooseTheirPrefix) {
  const auto check = [](double value, const char* unit, const char* expected) {
    EXPECT_EQ(format_quantity(value, unit), expected);
  };
  check(41943, "sectors/s", "41 943 sectors/s");
  check(0, "bytes", "0 bytes");
  check(512, "bytes", "512 bytes");
  check(1536, "bytes", "1.5 KiB");
  check(3.0 * 1024 * 1024 * 1024, "bytes/s", "3 GiB/s");
  check(-2048, "bytes", "-2 KiB");
  check(0.0042, "seconds", "4.2 ms");
  check(15e-6, "seconds", "15 \u00b5s");
  check(90, "seconds", "90 s");
  check(0, "seconds", "0 s");
  check(0.93, "ratio", "93 %");
  check(1.002, "ratio", "100 %");
  check(1, "flag", "100 %");
  check(0.4, "flag", "40 %");
  check(0, "flag", "0 %");
  check(1.13, "ratio", "1.13x");
  check(-12.5, "ratio", "-12.5x");
  check(0.5, "ratio per tick", "50 % per tick");
  check(3 * 1024.0, "bytes per chunk", "3 KiB per chunk");
  check(1, "requests", "1 request");
  check(1, "processes", "1 process");
  check(1, "switches", "1 switch");
  check(1, "caches", "1 cache");
  check(1, "sectors/s", "1 sectors/s");
  check(2.5, "", "2.5");
  check(3.14e10, "(bytes)^2", "(173 KiB)²");  // the square root: 177 200
  check(0.04, "(ratio)^2", "(20 %)²");
  check(-27e9, "(packets/s)^3", "-(3000 packets/s)³");
  check(std::nan(""), "bytes", "undefined");
}

TEST(Quantity, CoresHaveTwoDigits) {
  EXPECT_EQ(format_cores(0), "0.00 of a core");
  EXPECT_EQ(format_cores(0.994), "0.99 of a core");
  EXPECT_EQ(format_cores(0.995), "0.99 of a core");  // the nearest double is a little less
  EXPECT_EQ(format_cores(0.996), "1.00 cores");
  EXPECT_EQ(format_cores(12.79), "12.79 cores");
}

}  // namespace
}  // namespace reveal::text
