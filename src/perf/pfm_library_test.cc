#include "perf/pfm_library.h"

#include <gmock/gmock.h>

namespace reveal::perf {
namespace {

using ::testing::HasSubstr;

TEST(PfmLibrary, EncodesAnEventOfAnotherProcessor) {
  const auto library = PfmLibrary::load(PfmLibrary::kName);
  ASSERT_TRUE(library) << library.error().message();
  const auto code = library->encode("skx::CYCLE_ACTIVITY:STALLS_L3_MISS");
  ASSERT_TRUE(code) << code.error().message();
  EXPECT_EQ(code->config & 0xff00ffff, 0x060006a3u);  // Intel's event reference
  EXPECT_FALSE(library->encode("skx::NO_SUCH:EVENT"));
}

TEST(PfmLibrary, ALibraryThatIsNotThereIsAnAbsenceWithItsRemedy) {
  const auto library = PfmLibrary::load("libno-such-library.so.9");
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().kind, base::ErrorKind::kAbsent);
  EXPECT_THAT(library.error().what, HasSubstr("libno-such-library.so.9"));
  EXPECT_THAT(library.error().remedy, HasSubstr("libpfm4"));
}

TEST(PfmLibrary, AnotherLibraryOfThatNameIsSaidToBeOne) {
  const auto library = PfmLibrary::load("libm.so.6");
  ASSERT_FALSE(library);
  EXPECT_THAT(library.error().what, HasSubstr("libm.so.6 is not libpfm4"));
}

}  // namespace
}  // namespace reveal::perf
