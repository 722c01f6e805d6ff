#include "duck/table_appender.h"

#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace reveal::duck {

base::Result<TableAppender> TableAppender::create(Session& session, const std::string& table,
                                                  std::span<const ColumnType> types) {
  std::string columns;
  for (std::size_t i = 0; i < types.size(); ++i) {
    columns += fmt::format("{}c{} {}", i == 0 ? "" : ", ", i, sql_name(types[i]));
  }
  const auto made = session.execute(fmt::format("CREATE TABLE {} ({})", table, columns));
  if (!made) return base::pass(made);

  const Api& api = session.api();
  TableAppender out(api, types.size());
  out.all_.resize(types.size());
  std::iota(out.all_.begin(), out.all_.end(), std::uint64_t{0});
  if (api.appender_create(session.connection(), nullptr, table.c_str(), &out.appender_) !=
      kDuckdbSuccess) {
    return out.refused();
  }
  std::vector<DuckdbType> logical;
  for (const ColumnType type : types) logical.push_back(make_logical_type(api, type));
  out.chunk_ = api.create_data_chunk(logical.data(), logical.size());
  for (DuckdbType& type : logical) api.destroy_logical_type(&type);
  out.begin_chunk();
  return out;
}

TableAppender::TableAppender(TableAppender&& other) noexcept
    : api_(other.api_),
      columns_(other.columns_),
      all_(std::move(other.all_)),
      appender_(std::exchange(other.appender_, nullptr)),
      chunk_(std::exchange(other.chunk_, nullptr)),
      rows_(std::move(other.rows_)) {}

TableAppender::~TableAppender() {
  if (chunk_ != nullptr) api_.destroy_data_chunk(&chunk_);
  if (appender_ != nullptr) api_.appender_destroy(&appender_);
}

void TableAppender::begin_chunk() {
  api_.data_chunk_reset(chunk_);
  rows_.emplace(api_, chunk_, all_, columns_);
}

base::Unexpected TableAppender::refused() const {
  const char* words = appender_ == nullptr ? nullptr : api_.appender_error(appender_);
  return base::fail(base::ErrorKind::kIo, words == nullptr ? "DuckDB refuses the rows" : words,
                    "DuckDB");
}

base::Result<void> TableAppender::flush() {
  rows_->finish();
  if (api_.append_data_chunk(appender_, chunk_) != kDuckdbSuccess) return refused();
  begin_chunk();
  return {};
}

base::Result<RowChunk*> TableAppender::rows() {
  if (rows_->room() == 0) {
    if (auto flushed = flush(); !flushed) return base::pass(flushed);
  }
  return &*rows_;
}

base::Result<void> TableAppender::finish() {
  if (auto flushed = flush(); !flushed) return flushed;
  if (api_.appender_close(appender_) != kDuckdbSuccess) return refused();
  return {};
}

}  // namespace reveal::duck
