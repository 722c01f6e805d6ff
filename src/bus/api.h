// What of NATS' C library is used, by the types of its header.
#pragma once

#include <nats/nats.h>

namespace reveal::bus {

struct Api {
  decltype(&::natsStatus_GetText) status_text = nullptr;
  decltype(&::natsOptions_Create) options_create = nullptr;
  decltype(&::natsOptions_Destroy) options_destroy = nullptr;
  decltype(&::natsOptions_SetServers) set_servers = nullptr;
  decltype(&::natsOptions_SetName) set_name = nullptr;
  decltype(&::natsOptions_SetTimeout) set_timeout = nullptr;
  decltype(&::natsOptions_SetWriteDeadline) set_write_deadline = nullptr;
  decltype(&::natsOptions_SetAllowReconnect) set_allow_reconnect = nullptr;
  decltype(&::natsOptions_SetPingInterval) set_ping_interval = nullptr;
  decltype(&::natsOptions_SetMaxPingsOut) set_max_pings_out = nullptr;
  decltype(&::natsOptions_SetErrorHandler) set_error_handler = nullptr;
  decltype(&::natsOptions_SetCustomInboxPrefix) set_inbox_prefix = nullptr;
  decltype(&::natsOptions_SetUserInfo) set_user_info = nullptr;
  decltype(&::natsOptions_SetNKeyFromSeed) set_nkey_from_seed = nullptr;
  decltype(&::natsOptions_SetUserCredentialsFromFiles) set_credentials = nullptr;
  decltype(&::natsOptions_SetSecure) set_secure = nullptr;
  decltype(&::natsOptions_LoadCATrustedCertificates) load_ca = nullptr;
  decltype(&::natsOptions_LoadCertificatesChain) load_certificates = nullptr;
  decltype(&::natsOptions_SetExpectedHostname) set_expected_hostname = nullptr;

  decltype(&::natsConnection_Connect) connect = nullptr;
  decltype(&::natsConnection_Close) connection_close = nullptr;
  decltype(&::natsConnection_Destroy) connection_destroy = nullptr;
  decltype(&::natsConnection_Status) connection_status = nullptr;
  decltype(&::natsConnection_GetLastError) connection_last_error = nullptr;
  decltype(&::natsConnection_JetStream) jet_stream = nullptr;
  decltype(&::jsCtx_Destroy) context_destroy = nullptr;

  decltype(&::natsConnection_SubscribeSync) subscribe_core = nullptr;
  decltype(&::natsConnection_PublishRequest) publish_request = nullptr;
  decltype(&::natsConnection_Publish) publish = nullptr;
  decltype(&::natsConnection_FlushTimeout) flush = nullptr;

  decltype(&::jsOptions_Init) options_init = nullptr;
  decltype(&::jsPubOptions_Init) pub_options_init = nullptr;
  decltype(&::jsSubOptions_Init) sub_options_init = nullptr;
  decltype(&::jsStreamConfig_Init) stream_config_init = nullptr;
  decltype(&::js_PublishMsgAsync) publish_async = nullptr;
  decltype(&::js_SubscribeSync) subscribe_sync = nullptr;
  decltype(&::js_AddStream) add_stream = nullptr;
  decltype(&::js_UpdateStream) update_stream = nullptr;
  decltype(&::js_GetStreamInfo) get_stream_info = nullptr;
  decltype(&::jsStreamInfo_Destroy) stream_info_destroy = nullptr;

  decltype(&::kvConfig_Init) store_config_init = nullptr;
  decltype(&::js_CreateKeyValue) create_key_value = nullptr;
  decltype(&::js_KeyValue) key_value = nullptr;
  decltype(&::kvStore_Destroy) store_destroy = nullptr;
  decltype(&::kvStore_Get) store_get = nullptr;
  decltype(&::kvStore_Create) store_create = nullptr;
  decltype(&::kvStore_Update) store_update = nullptr;
  decltype(&::kvEntry_Value) entry_value = nullptr;
  decltype(&::kvEntry_ValueLen) entry_value_size = nullptr;
  decltype(&::kvEntry_Revision) entry_revision = nullptr;
  decltype(&::kvEntry_Destroy) entry_destroy = nullptr;

  decltype(&::natsSubscription_NextMsg) next_message = nullptr;
  decltype(&::natsSubscription_SetPendingLimits) set_pending_limits = nullptr;
  decltype(&::natsSubscription_Unsubscribe) unsubscribe = nullptr;
  decltype(&::natsSubscription_Destroy) subscription_destroy = nullptr;

  decltype(&::natsMsg_Create) message_create = nullptr;
  decltype(&::natsMsg_Destroy) message_destroy = nullptr;
  decltype(&::natsMsg_GetSubject) message_subject = nullptr;
  decltype(&::natsMsg_GetReply) message_reply = nullptr;
  decltype(&::natsMsg_GetData) message_data = nullptr;
  decltype(&::natsMsg_GetDataLength) message_data_length = nullptr;
  decltype(&::natsMsg_GetMetaData) message_meta_data = nullptr;
  decltype(&::jsMsgMetaData_Destroy) meta_data_destroy = nullptr;
};

}  // namespace reveal::bus
