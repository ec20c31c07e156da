#include "cli/help_formatter.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace walpost::cli {
namespace {

using Row = std::pair<std::string, std::string>;

// `-h, --help`, `--slot NAME`
std::string Spelling(const CLI::Option& option) {
  std::string out;
  for (const std::string& name : option.get_snames()) absl::StrAppend(&out, "-", name, ", ");
  for (const std::string& name : option.get_lnames()) absl::StrAppend(&out, "--", name);
  std::string type = option.get_type_name();
  return type.empty() || out.empty() ? out + type : absl::StrCat(out, " ", type);
}

std::string Columns(const std::vector<Row>& rows) {
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.first.size());
  std::string out;
  for (const auto& [left, right] : rows) {
    absl::StrAppend(&out, "  ", left, std::string(width - left.size() + 2, ' '), right, "\n");
  }
  return out;
}

std::vector<Row> VerbRows(const CLI::App& app) {
  std::vector<Row> rows;
  for (const CLI::App* verb : app.get_subcommands({})) {
    rows.emplace_back(verb->get_name(), verb->get_description());
  }
  return rows;
}

std::vector<Row> OptionRows(const CLI::App& app) {
  std::vector<Row> rows;
  const CLI::Option* help = app.get_help_ptr();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty() || option == help) continue;
    rows.emplace_back(Spelling(*option), option->get_description());
  }
  rows.emplace_back(Spelling(*help), help->get_description());
  return rows;
}

// What follows the verb without a flag.
std::string Arguments(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) absl::StrAppend(&out, " ", option->get_type_name());
  }
  return out;
}

std::string FullName(const CLI::App& app) {
  if (app.get_parent() == nullptr) return app.get_name();
  return absl::StrCat(FullName(*app.get_parent()), " ", app.get_name());
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const {
  std::vector<Row> verbs = VerbRows(*app);
  bool root = app->get_parent() == nullptr;
  std::string out = absl::StrCat("Usage: ", FullName(*app), root ? " [--config FILE]" : "",
                                 verbs.empty() ? "" : " VERB", Arguments(*app), " [options]\n",
                                 app->get_description(), "\n\n");
  if (!verbs.empty()) absl::StrAppend(&out, "Verbs:\n", Columns(verbs), "\n");
  absl::StrAppend(&out, "Options:\n", Columns(OptionRows(*app)), "\n", app->get_footer(), "\n");
  return out;
}

}  // namespace walpost::cli
