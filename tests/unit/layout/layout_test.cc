// The rules on who may include whom, on third-party headers and on sizes, read from the sources.
// The table is that of src/README.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace walpost {
namespace {

namespace fs = std::filesystem;

using Modules = std::set<std::string>;

// What each module may include beside itself.
const std::map<std::string, Modules>& Table() {
  static const auto* const rows = new std::map<std::string, Modules>{
      {"base", {}},
      {"core", {"base"}},
      {"postgres", {"base", "core"}},
      {"pgoutput", {"base", "core"}},
      {"outbox", {"base", "core", "pgoutput"}},
      {"kafka", {"base", "core"}},
      {"ack", {"base", "core"}},
      {"relay", {"base", "core", "pgoutput", "outbox", "ack"}},
      {"observability", {"base", "core"}},
      {"config", {"base", "core"}},
      {"app",
       {"base", "core", "postgres", "pgoutput", "outbox", "kafka", "ack", "relay", "observability",
        "config"}},
      {"cli", {"base", "core", "postgres", "config", "app"}},
  };
  return *rows;
}

bool MayInclude(const std::string& module, const std::string& target) {
  return module == target || Table().at(module).contains(target);
}

// A third-party header, by the beginning of its path, and the modules that may name it.
const std::map<std::string, Modules>& ThirdParty() {
  static const auto* const table = new std::map<std::string, Modules>{
      {"libpq-fe.h", {"postgres"}},
      {"libpq/", {"postgres"}},
      {"postgresql/", {"postgres"}},
      {"librdkafka/", {"kafka"}},
      {"rapidjson/", {"outbox", "observability", "cli"}},
      {"pcre2.h", {"outbox"}},
      {"prometheus/", {"observability"}},
      {"CivetServer.h", {"observability"}},
      {"civetweb.h", {"observability"}},
      {"spdlog/", {"observability"}},
      {"toml++/", {"config"}},
      {"CLI/", {"cli"}},
  };
  return *table;
}

struct Include {
  std::string file;    // relative to the project
  std::string module;  // of that file; "" in include/
  std::string path;    // what is included
  bool quoted = false;
};

fs::path Root() { return WALPOST_SOURCE_DIR; }

std::vector<fs::path> Sources(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(Root() / folder)) {
    const std::string extension = entry.path().extension();
    if (extension == ".cc" || extension == ".h") files.push_back(entry.path());
  }
  return files;
}

// What a line includes, with its opening quote or bracket in front; empty when it includes nothing.
std::string IncludedBy(std::string line) {
  line.erase(std::remove_if(line.begin(), line.end(), [](char c) { return c == ' ' || c == '\t'; }),
             line.end());
  constexpr std::string_view kDirective = "#include";
  if (!line.starts_with(kDirective) || line.size() <= kDirective.size()) return {};
  const char open = line[kDirective.size()];
  const std::size_t close = line.find(open == '<' ? '>' : '"', kDirective.size() + 1);
  if ((open != '<' && open != '"') || close == std::string::npos) return {};
  return line.substr(kDirective.size(), close - kDirective.size());
}

// The lines of a file that include something.
std::vector<Include> IncludesOf(const fs::path& file) {
  const fs::path relative = fs::relative(file, Root());
  const std::string module =
      *relative.begin() == "src" ? std::next(relative.begin())->string() : std::string();
  std::vector<Include> includes;
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);) {
    const std::string included = IncludedBy(line);
    if (included.empty()) continue;
    includes.push_back({relative.string(), module, included.substr(1), included[0] == '"'});
  }
  return includes;
}

std::vector<Include> AllIncludes() {
  std::vector<Include> all;
  for (const char* folder : {"src", "include"}) {
    for (const fs::path& file : Sources(folder)) {
      const std::vector<Include> some = IncludesOf(file);
      all.insert(all.end(), some.begin(), some.end());
    }
  }
  return all;
}

std::size_t LineCount(const fs::path& file) {
  std::ifstream text(file);
  std::size_t lines = 0;
  for (std::string line; std::getline(text, line);) ++lines;
  return lines;
}

TEST(Layout, EveryFolderOfSrcIsInTheTable) {
  for (const auto& entry : fs::directory_iterator(Root() / "src")) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(Table().contains(entry.path().filename())) << entry.path();
  }
}

TEST(Layout, ModulesIncludeOnlyWhatTheirRowAllows) {
  for (const Include& include : AllIncludes()) {
    const std::string target = include.path.substr(0, include.path.find('/'));
    if (!include.quoted || include.module.empty() || target == "walpost") continue;
    ASSERT_TRUE(Table().contains(target))
        << include.file << " includes " << include.path << ", which is of no module";
    EXPECT_TRUE(MayInclude(include.module, target)) << include.file << " includes " << include.path;
  }
}

TEST(Layout, PublicHeadersIncludeNothingOfSrc) {
  for (const Include& include : AllIncludes()) {
    if (!include.module.empty() || !include.quoted) continue;
    EXPECT_TRUE(include.path.starts_with("walpost/")) << include.file << ": " << include.path;
  }
}

TEST(Layout, ThirdPartyHeadersStayInTheirModule) {
  for (const Include& include : AllIncludes()) {
    for (const auto& [prefix, modules] : ThirdParty()) {
      if (!include.path.starts_with(prefix)) continue;
      EXPECT_TRUE(modules.contains(include.module)) << include.file << ": " << include.path;
    }
  }
}

TEST(Layout, FilesStayShort) {
  for (const char* folder : {"src", "include"}) {
    for (const fs::path& file : Sources(folder)) {
      const std::size_t limit = file.extension() == ".h" ? 250 : 500;
      EXPECT_LT(LineCount(file), limit) << file;
    }
  }
}

// Otherwise the tests above would pass on an empty tree.
TEST(Layout, SourcesWereFound) { EXPECT_GT(AllIncludes().size(), 50u); }

}  // namespace
}  // namespace walpost
