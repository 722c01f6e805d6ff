// https against a server with a certificate of its own making.
#include <filesystem>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include "alert/http.h"
#include "alert/testing/http_server.h"
#include "base/new_file.h"
#include "base/temp_dir.h"
#include "base/testing/made_certificate.h"

namespace reveal::alert {
namespace {

using std::chrono::milliseconds;
using testing::answer;
using ::testing::HasSubstr;
using testing::HttpServer;

class TlsTest : public ::testing::Test {
 protected:
  TlsTest() { server_.read_requests(false); }

  void certify(const char* names, long end_s = 7200) {
    const auto certificate = base::made_certificate(key_.get(), names, end_s);
    context_.reset(SSL_CTX_new(TLS_server_method()));
    SSL_CTX_use_certificate(context_.get(), certificate.get());
    SSL_CTX_use_PrivateKey(context_.get(), key_.get());
    ASSERT_TRUE(base::write_new_file(ca_file_, base::pem_of(certificate.get())));
    server_.conduct([this](HttpServer&, const base::UniqueFd& fd) { serve(fd.get()); });
  }

  void serve(int fd) {
    const base::TlsPointer tls(SSL_new(context_.get()));
    SSL_set_fd(tls.get(), fd);
    if (SSL_accept(tls.get()) != 1) return;
    std::string heard;
    std::array<char, 4096> block{};
    while (heard.find("the body") == std::string::npos) {
      const int count = SSL_read(tls.get(), block.data(), block.size());
      if (count <= 0) return;
      heard.append(block.data(), static_cast<std::size_t>(count));
    }
    const std::string text = answer(200);
    SSL_write(tls.get(), text.data(), static_cast<int>(text.size()));
    SSL_shutdown(tls.get());
  }

  Delivery send(const std::string& host, const std::filesystem::path& ca_file) {
    HttpPost request;
    request.url = parse_url("https://" + host + ":" + std::to_string(server_.port())).value();
    request.ca_file = ca_file;
    request.body = std::string(100'000, ' ') + "the body";
    request.timeout = milliseconds(30'000);
    return post(request, stop_, [] {});
  }

  void expect_distrust(const Delivery& delivery, const std::string& why) {
    EXPECT_EQ(delivery.outcome, Outcome::kNotTaken);
    EXPECT_THAT(delivery.error, HasSubstr("its certificate is not trusted: " + why));
    EXPECT_THAT(delivery.error, HasSubstr("ca_file"));
  }

  const base::TempDir scratch_;
  const std::filesystem::path ca_file_ = scratch_.path() / "ca.pem";
  const base::Key key_ = base::made_key();
  base::TlsContext context_;
  Stop stop_;
  HttpServer server_{HttpServer::never_answers()};
};

TEST_F(TlsTest, SendsToWhomItTrusts) {
  certify("DNS:localhost,IP:127.0.0.1");
  for (const char* host : {"localhost", "127.0.0.1"}) {
    const auto delivery = send(host, ca_file_);
    EXPECT_EQ(delivery.outcome, Outcome::kTaken) << delivery.error;
  }
}

TEST_F(TlsTest, SendsNothingToWhomItDoesNotKnow) {
  certify("DNS:localhost,IP:127.0.0.1");
  expect_distrust(send("localhost", ""), "self");
}

TEST_F(TlsTest, SendsNothingToOneOfAnotherName) {
  certify("DNS:elsewhere.example.org");
  expect_distrust(send("localhost", ca_file_), "hostname mismatch");
  expect_distrust(send("127.0.0.1", ca_file_), "IP address mismatch");
}

TEST_F(TlsTest, SendsNothingToOneWhoseCertificateIsOver) {
  certify("DNS:localhost", -3600);
  expect_distrust(send("localhost", ca_file_), "certificate has expired");
}

TEST_F(TlsTest, NamesTheFileThatIsNoCertificate) {
  certify("DNS:localhost");
  const auto none = scratch_.path() / "none.pem";
  EXPECT_THAT(send("localhost", none).error, HasSubstr(none.string()));
  ASSERT_TRUE(base::write_new_file(none, "no certificate\n"));
  EXPECT_THAT(send("localhost", none).error, HasSubstr("cannot read the certificates to trust"));
}

TEST_F(TlsTest, GivesUpOnOneThatNeverAgrees) {
  HttpPost request;
  request.url = parse_url("https://127.0.0.1:" + std::to_string(server_.port())).value();
  request.timeout = milliseconds(100);
  const auto delivery = post(request, stop_, [] {});
  EXPECT_EQ(delivery.outcome, Outcome::kNotTaken);
  EXPECT_THAT(delivery.error, HasSubstr("cannot agree on TLS: no answer in time"));
}

}  // namespace
}  // namespace reveal::alert
