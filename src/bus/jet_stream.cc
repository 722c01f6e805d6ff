#include "bus/jet_stream.h"

namespace reveal::bus {

base::Result<std::unique_ptr<JetStream>> JetStream::open(const BrokerOptions& broker,
                                                         const std::function<void(jsOptions&)>& set,
                                                         const ErrorHandler& handler) {
  auto connection = Connection::open(broker, handler);
  if (!connection) return base::pass(connection);
  const Api& api = (*connection)->api();
  jsOptions options;
  api.options_init(&options);
  set(options);
  jsCtx* context = nullptr;
  const auto status = api.jet_stream(&context, (*connection)->get(), &options);
  if (status != NATS_OK) return nats_failure(api, status, "no JetStream", broker.url);
  return std::unique_ptr<JetStream>(new JetStream(std::move(*connection), context));
}

base::Result<std::unique_ptr<JetStream>> JetStream::open(const BrokerOptions& broker,
                                                         std::int64_t longest_wait_ms) {
  return open(broker, [&](jsOptions& options) { options.Wait = longest_wait_ms; });
}

JetStream::~JetStream() {
  api().context_destroy(context_);
}

}  // namespace reveal::bus
