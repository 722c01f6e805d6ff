#include "cli/option_set.h"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manual/help.h"
#include "text/nearest.h"

namespace reveal::cli {
namespace {

// What a parsing function makes the library stop with; the reason is OptionSet::failure_.
struct Refused : CLI::ParseError {
  Refused() : CLI::ParseError("Refused", "a value was refused", CLI::ExitCodes::ValidationError) {}
};

// The library takes its words last first.
std::vector<std::string> reversed(const std::vector<std::string>& words) {
  return {words.rbegin(), words.rend()};
}

}  // namespace

Option& Option::required() {
  option_->required();
  row_.required = true;
  return *this;
}

Option& Option::choices(std::vector<std::string> words) {
  row_.choices = std::move(words);
  return *this;
}

Option& Option::suggests(std::vector<std::string> words) {
  row_.suggestions = std::move(words);
  return *this;
}

Option& Option::suggests(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const auto word = list.substr(0, list.find(", "));
    words.emplace_back(word);
    list.remove_prefix(std::min(list.size(), word.size() + 2));
  }
  return suggests(std::move(words));
}

Option& Option::placeholder(std::string_view word) {
  if (!row_.is_positional()) row_.placeholder = word;
  return *this;
}

Option& Option::heading(std::string_view text) {
  row_.heading = text;
  return *this;
}

Option& Option::shows(std::string_view default_value) {
  row_.shown_default = default_value;
  return *this;
}

Option& Option::excludes(Option& other) {
  option_->excludes(other.option_);
  return *this;
}

OptionSet::OptionSet(std::string_view name, std::string_view summary, std::string_view version)
    : name_(name),
      summary_(summary),
      listed_under_("Subcommands"),
      owned_(std::make_unique<CLI::App>(summary_, name_)),
      app_(owned_.get()) {
  app_->set_help_flag("-h,--help");
  app_->set_version_flag("-V,--version", std::string(version));
}

OptionSet::OptionSet(OptionSet* parent) : parent_(parent) {}

OptionSet::~OptionSet() = default;

OptionSet& OptionSet::subcommand(std::string_view name, std::string_view summary,
                                 std::string_view heading) {
  app_->require_subcommand(1);
  // Its constructor is for sets alone, which make_unique() is not.
  auto& out = *subcommands_.emplace_back(std::unique_ptr<OptionSet>(new OptionSet(this)));
  out.name_ = name;
  out.summary_ = summary;
  out.listed_under_ = heading;
  out.app_ = app_->add_subcommand(out.name_, out.summary_);
  return out;
}

OptionSet& OptionSet::root() {
  OptionSet* at = this;
  while (at->parent_ != nullptr) at = at->parent_;
  return *at;
}

std::string OptionSet::path() const {
  return parent_ == nullptr ? name_ : parent_->path() + " " + name_;
}

manual::CommandRow OptionSet::description() const {
  manual::CommandRow out{name_, path(), summary_, listed_under_, footer_, takes_command_, {}, {}};
  for (const auto& option : options_) out.options.push_back(option->row());
  // These two are the library's.
  out.options.push_back({.names = "-h,--help", .help = "print this help"});
  if (parent_ == nullptr) {
    out.options.push_back({.names = "-V,--version", .help = "print the version"});
  }
  for (const auto& one : subcommands_) out.subcommands.push_back(one->description());
  return out;
}

Option& OptionSet::declare(std::string_view names, std::string_view help) {
  auto& out = *options_.emplace_back(std::make_unique<Option>());
  out.row_.names = names;
  out.row_.help = help;
  out.row_.heading = heading_;
  return out;
}

Option& OptionSet::add(std::string_view names, std::string_view help, bool repeats, Parse parse) {
  auto& out = declare(names, help);
  out.row_.repeats = repeats;
  out.row_.placeholder = out.row_.is_positional() ? out.row_.names : "TEXT";
  const auto take_all = [this, &out, parse = std::move(parse)](const CLI::results_t& texts) {
    for (const auto& text : texts) {
      if (auto done = take(out, text, parse); !done) {
        root().failure_ = done.error();
        throw Refused();
      }
    }
    return true;
  };
  // Newer versions of the library take no blank in a name. Help prints that of the row.
  std::string unbroken = out.row_.names;
  std::replace(unbroken.begin(), unbroken.end(), ' ', '-');
  out.option_ = app_->add_option(unbroken, take_all, out.row_.help);
  out.option_->type_name(out.row_.placeholder);
  if (repeats) {
    out.option_->expected(1, CLI::detail::expected_max_vector_size);
    out.option_->allow_extra_args(out.row_.is_positional());
  }
  return out;
}

Option& OptionSet::flag(std::string_view names, bool& value, std::string_view help) {
  auto& out = declare(names, help);
  out.option_ = app_->add_flag(out.row_.names, value, out.row_.help);
  return out;
}

Option& OptionSet::parsed(std::string_view names, Parse parse, std::string_view help) {
  return add(names, help, false, std::move(parse));
}

Option& OptionSet::value(std::string_view names, std::string& value, std::string_view help) {
  const auto keep = [&value](const std::string& text) -> base::Result<void> {
    value = text;
    return {};
  };
  return add(names, help, false, keep).shows(value);
}

Option& OptionSet::value(std::string_view names, std::optional<std::string>& value,
                         std::string_view help) {
  const auto keep = [&value](const std::string& text) -> base::Result<void> {
    value = text;
    return {};
  };
  return add(names, help, false, keep);
}

Option& OptionSet::value(std::string_view names, std::vector<std::string>& values,
                         std::string_view help) {
  const auto keep = [&values](const std::string& text) -> base::Result<void> {
    values.push_back(text);
    return {};
  };
  return add(names, help, true, keep);
}

base::Result<void> OptionSet::take(const Option& option, const std::string& text,
                                   const Parse& parse) {
  const auto& row = option.row();
  const auto where = fmt::format("{} {}", row.name(), text);
  const auto& words = row.choices;
  if (!words.empty() && std::find(words.begin(), words.end(), text) == words.end()) {
    const auto meant = text::did_you_mean(text, words);
    return wrong(fmt::format("must be one of {}{}", fmt::join(words, ", "), meant), where);
  }
  auto done = parse(text);
  if (done) return done;
  auto error = done.error();
  if (!error.where.starts_with(row.name())) error.where = where;
  if (error.remedy.empty()) error.remedy = fmt::format("see {} --help", path());
  return base::Unexpected(std::move(error));
}

const OptionSet* OptionSet::find(std::string_view name) const {
  for (const auto& one : subcommands_) {
    if (one->name_ == name) return one.get();
  }
  return nullptr;
}

const OptionSet& OptionSet::chosen() const {
  const auto named = app_->get_subcommands();
  return named.empty() ? *this : find(named.front()->get_name())->chosen();
}

base::Unexpected OptionSet::wrong(std::string what, std::string where) const {
  return base::fail(base::ErrorKind::kUsage, std::move(what), std::move(where),
                    fmt::format("see {} --help", path()));
}

// The library says of a word that is not a subcommand only that it wants one, and prints the
// general help if --help follows.
base::Result<void> OptionSet::check_subcommands(const std::vector<std::string>& words) const {
  const OptionSet* at = this;
  for (const auto& word : words) {
    if (at->subcommands_.empty() || word.starts_with('-')) return {};
    const OptionSet* next = at->find(word);
    if (next == nullptr) {
      std::vector<std::string> names;
      for (const auto& one : at->subcommands_) {
        if (!one->hidden()) names.push_back(one->name_);
      }
      const auto meant = text::did_you_mean(word, names);
      const auto all =
          meant.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : meant;
      return at->wrong(fmt::format("{} is not a subcommand{}", word, all));
    }
    at = next;
  }
  return {};
}

base::Unexpected OptionSet::unexpected(const std::vector<std::string>& words) const {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [](const std::string& word) { return word.starts_with('-'); });
  if (found == words.end()) {
    return wrong(fmt::format("{} is one word too many", words.empty() ? "" : words.front()));
  }
  const std::string name = found->substr(0, found->find('='));
  std::vector<std::string> names;
  for (const auto& one : options_) {
    if (!one->row().is_positional()) names.push_back(one->row().name());
  }
  return wrong(
      fmt::format("{} is not an option of {}{}", name, path(), text::did_you_mean(name, names)));
}

base::Result<void> OptionSet::read(const std::vector<std::string>& words) {
  if (auto sound = check_subcommands(words); !sound) return sound;
  try {
    app_->parse(reversed(words));
  } catch (const CLI::CallForHelp&) {
    wanted_text_ = manual::help_text(chosen().description());
  } catch (const CLI::CallForVersion& version) {
    wanted_text_ = std::string(version.what()) + "\n";
  } catch (const Refused&) {
    return base::Unexpected(*failure_);
  } catch (const CLI::ExtrasError&) {
    return chosen().unexpected(chosen().app_->remaining(true));
  } catch (const CLI::ParseError& error) {
    return chosen().wrong(error.what());
  }
  return {};
}

}  // namespace reveal::cli
