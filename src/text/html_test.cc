#include "text/html.h"

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

TEST(Html, TextStaysText) {
  EXPECT_EQ(html("a<b>&\"c\"'d'"), "a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;");
  EXPECT_EQ(html_content("a<b>&\"c\"'d'"), "a&lt;b&gt;&amp;\"c\"'d'");
  EXPECT_EQ(html("plain"), "plain");
}

}  // namespace
}  // namespace reveal::text
