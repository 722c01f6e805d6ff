#include "bus/library.h"

#include <string>
#include <utility>

#include <dlfcn.h>

#include "base/function_binder.h"

namespace reveal::bus {
namespace {

#define REVEAL_TEXT_OF(x) #x
#define REVEAL_TEXT(x) REVEAL_TEXT_OF(x)
// Its structs are laid out as in the header only if its version is that of the header.
constexpr const char* kFile =
    "libnats.so." REVEAL_TEXT(NATS_VERSION_MAJOR) "." REVEAL_TEXT(NATS_VERSION_MINOR);
constexpr const char* kInstall =
    "apt-get install libnats" REVEAL_TEXT(NATS_VERSION_MAJOR) "." REVEAL_TEXT(NATS_VERSION_MINOR);
#undef REVEAL_TEXT
#undef REVEAL_TEXT_OF

void bind_options(base::FunctionBinder& bind, Api& api) {
  bind(api.status_text, "natsStatus_GetText");
  bind(api.options_create, "natsOptions_Create");
  bind(api.options_destroy, "natsOptions_Destroy");
  bind(api.set_servers, "natsOptions_SetServers");
  bind(api.set_name, "natsOptions_SetName");
  bind(api.set_timeout, "natsOptions_SetTimeout");
  bind(api.set_write_deadline, "natsOptions_SetWriteDeadline");
  bind(api.set_allow_reconnect, "natsOptions_SetAllowReconnect");
  bind(api.set_ping_interval, "natsOptions_SetPingInterval");
  bind(api.set_max_pings_out, "natsOptions_SetMaxPingsOut");
  bind(api.set_error_handler, "natsOptions_SetErrorHandler");
  bind(api.set_inbox_prefix, "natsOptions_SetCustomInboxPrefix");
  bind(api.set_user_info, "natsOptions_SetUserInfo");
  bind(api.set_nkey_from_seed, "natsOptions_SetNKeyFromSeed");
  bind(api.set_credentials, "natsOptions_SetUserCredentialsFromFiles");
  bind(api.set_secure, "natsOptions_SetSecure");
  bind(api.load_ca, "natsOptions_LoadCATrustedCertificates");
  bind(api.load_certificates, "natsOptions_LoadCertificatesChain");
  bind(api.set_expected_hostname, "natsOptions_SetExpectedHostname");
}

void bind_connections(base::FunctionBinder& bind, Api& api) {
  bind(api.connect, "natsConnection_Connect");
  bind(api.connection_close, "natsConnection_Close");
  bind(api.connection_destroy, "natsConnection_Destroy");
  bind(api.connection_status, "natsConnection_Status");
  bind(api.connection_last_error, "natsConnection_GetLastError");
  bind(api.jet_stream, "natsConnection_JetStream");
  bind(api.context_destroy, "jsCtx_Destroy");
}

void bind_requests(base::FunctionBinder& bind, Api& api) {
  bind(api.subscribe_core, "natsConnection_SubscribeSync");
  bind(api.publish_request, "natsConnection_PublishRequest");
  bind(api.publish, "natsConnection_Publish");
  bind(api.flush, "natsConnection_FlushTimeout");
  bind(api.message_reply, "natsMsg_GetReply");
}

void bind_jet_stream(base::FunctionBinder& bind, Api& api) {
  bind(api.options_init, "jsOptions_Init");
  bind(api.pub_options_init, "jsPubOptions_Init");
  bind(api.sub_options_init, "jsSubOptions_Init");
  bind(api.stream_config_init, "jsStreamConfig_Init");
  bind(api.publish_async, "js_PublishMsgAsync");
  bind(api.subscribe_sync, "js_SubscribeSync");
  bind(api.add_stream, "js_AddStream");
  bind(api.update_stream, "js_UpdateStream");
  bind(api.get_stream_info, "js_GetStreamInfo");
  bind(api.stream_info_destroy, "jsStreamInfo_Destroy");
}

void bind_key_values(base::FunctionBinder& bind, Api& api) {
  bind(api.store_config_init, "kvConfig_Init");
  bind(api.create_key_value, "js_CreateKeyValue");
  bind(api.key_value, "js_KeyValue");
  bind(api.store_destroy, "kvStore_Destroy");
  bind(api.store_get, "kvStore_Get");
  bind(api.store_create, "kvStore_Create");
  bind(api.store_update, "kvStore_Update");
  bind(api.entry_value, "kvEntry_Value");
  bind(api.entry_value_size, "kvEntry_ValueLen");
  bind(api.entry_revision, "kvEntry_Revision");
  bind(api.entry_destroy, "kvEntry_Destroy");
}

void bind_messages(base::FunctionBinder& bind, Api& api) {
  bind(api.next_message, "natsSubscription_NextMsg");
  bind(api.set_pending_limits, "natsSubscription_SetPendingLimits");
  bind(api.unsubscribe, "natsSubscription_Unsubscribe");
  bind(api.subscription_destroy, "natsSubscription_Destroy");
  bind(api.message_create, "natsMsg_Create");
  bind(api.message_destroy, "natsMsg_Destroy");
  bind(api.message_subject, "natsMsg_GetSubject");
  bind(api.message_data, "natsMsg_GetData");
  bind(api.message_data_length, "natsMsg_GetDataLength");
  bind(api.message_meta_data, "natsMsg_GetMetaData");
  bind(api.meta_data_destroy, "jsMsgMetaData_Destroy");
}

base::Unexpected absent(std::string what) {
  return base::fail(base::ErrorKind::kAbsent, std::move(what), "NATS", kInstall);
}

base::Result<Api> load_anew() {
  void* library = base::open_library("REVEAL_NATS_LIB", kFile);
  if (library == nullptr) {
    return absent(std::string("a fleet needs its C library, which cannot be loaded: ") +
                  ::dlerror());
  }
  Api api;
  base::FunctionBinder bind(library);
  bind_options(bind, api);
  bind_connections(bind, api);
  bind_requests(bind, api);
  bind_jet_stream(bind, api);
  bind_key_values(bind, api);
  bind_messages(bind, api);
  if (bind.missing() == nullptr) return api;
  return absent(std::string("its C library is there, but has no ") + bind.missing());
}

}  // namespace

base::Result<const Api*> load_nats() {
  static const auto kLoaded = load_anew();
  if (!kLoaded) return base::pass(kLoaded);
  return &*kLoaded;
}

}  // namespace reveal::bus
