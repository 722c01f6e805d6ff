#include <string>

#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

const std::string kChips = "sys/class/hwmon/";

// Numbers from reports of others: 3 892 314 C, -273 C, 65 535 rpm.
TEST(Hwmon, ImpossibleReadingsAreMissing) {
  TestHost host(*find_collector("hwmon"));
  const auto write = [&](const char* file, const std::string& text) {
    host.write(kChips + "hwmon0/" + file, text + "\n");
  };
  write("name", "nct6793");
  write("temp1_input", "-40000");
  write("temp2_input", "250000");
  write("fan1_input", "0");
  write("in0_input", "-12000");
  write("power1_input", "350000000");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("cpu_board_temperature_celsius{chip=nct6793,sensor=temp1}"), -40);
  EXPECT_EQ(host.value("cpu_board_temperature_celsius{chip=nct6793,sensor=temp2}"), 250);
  EXPECT_EQ(host.value("cpu_fan_speed_rpm{chip=nct6793,sensor=fan1}"), 0);
  EXPECT_EQ(host.value("cpu_sensor_voltage_volts{chip=nct6793,sensor=in0}"), -12);
  EXPECT_EQ(host.value("cpu_sensor_power_watts{chip=nct6793,sensor=power1}"), 350);
  for (const char* cold : {"-274000", "-273000", "-150001", "-2147483648", "3892313987"}) {
    write("temp1_input", cold);
    host.tick();
    EXPECT_FALSE(host.value("cpu_board_temperature_celsius{chip=nct6793,sensor=temp1}")) << cold;
  }
  for (const char* fast : {"65535", "4294967295", "-1", "2147483647"}) {
    write("fan1_input", fast);
    host.tick();
    EXPECT_FALSE(host.value("cpu_fan_speed_rpm{chip=nct6793,sensor=fan1}")) << fast;
  }
  for (const char* none : {"65535", "65535000", "4294967295", "2147483647", "-2147483648"}) {
    write("in0_input", none);
    write("power1_input", none);
    host.tick();
    EXPECT_FALSE(host.value("cpu_sensor_voltage_volts{chip=nct6793,sensor=in0}")) << none;
    EXPECT_FALSE(host.value("cpu_sensor_power_watts{chip=nct6793,sensor=power1}")) << none;
  }
}

TEST(Hwmon, TwoChipsOfOneNameAreTwo) {
  TestHost host(*find_collector("hwmon"));
  for (const char* chip : {"hwmon0", "hwmon1", "hwmon2"}) {
    host.write(kChips + chip + "/name", "dell_smm\n");
  }
  host.write(kChips + "hwmon0/temp1_input", "40000\n");
  host.write(kChips + "hwmon1/temp1_input", "90000\n");
  host.write(kChips + "hwmon2/temp1_input", "50000\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("cpu_board_temperature_celsius{chip=dell_smm,sensor=temp1}"), 40);
  EXPECT_EQ(host.value("cpu_board_temperature_celsius{chip=dell_smm#2,sensor=temp1}"), 90);
  EXPECT_EQ(host.value("cpu_board_temperature_celsius{chip=dell_smm#3,sensor=temp1}"), 50);
}

TEST(Hwmon, SensorsInTheFolderOfTheDevice) {
  TestHost host(*find_collector("hwmon"));
  host.write(kChips + "hwmon0/device/name", "applesmc\n");
  host.write(kChips + "hwmon0/device/fan1_input", "1800\n");
  host.write(kChips + "hwmon0/device/fan2_input", "1900\n");
  host.write(kChips + "hwmon0/device/power1_average", "5000000\n");
  ASSERT_TRUE(host.open());
  host.tick();
  double speeds = 0;
  for (const auto& name : host.channel_names()) {
    if (name.starts_with("cpu_fan_speed_rpm")) speeds += host.value(name).value_or(0);
  }
  EXPECT_EQ(speeds, 3700);
  EXPECT_EQ(host.value("cpu_sensor_power_watts{chip=applesmc@device,sensor=power1}"), 5);
}

TEST(Thermal, ImpossibleReadingsAreMissing) {
  TestHost host(*find_collector("thermal"));
  host.write("sys/class/thermal/thermal_zone0/type", "acpitz\n");
  host.write("sys/class/thermal/thermal_zone0/temp", "45000\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("cpu_thermal_zone_celsius{zone=acpitz}"), 45);
  for (const char* text : {"-274000", "4294967295", "2147483647", "-2147483648", "255000"}) {
    host.write("sys/class/thermal/thermal_zone0/temp", std::string(text) + "\n");
    host.tick();
    EXPECT_FALSE(host.value("cpu_thermal_zone_celsius{zone=acpitz}")) << text;
  }
}

}  // namespace
}  // namespace reveal::collect
