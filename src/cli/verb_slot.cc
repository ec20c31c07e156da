#include <absl/status/status.h>
#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/status_macros.h"
#include "base/strings.h"
#include "cli/connect_offset.h"
#include "cli/json_text.h"
#include "cli/option_flags.h"
#include "cli/report.h"
#include "cli/verb.h"
#include "config/value_text.h"
#include "core/error_policy.h"
#include "walpost/lsn.h"

namespace walpost::cli {
namespace {

using absl::InvalidArgumentError;
using absl::StrCat;

class AdvanceVerb : public Verb {
 public:
  explicit AdvanceVerb(CLI::App& parent)
      : Verb(parent, "advance", "Moves a slot past what somebody else has published.",
             "Refuses a slot in use and an LSN inside a transaction, beyond the log or of another\n"
             "timeline. What it passes over is not published by walpost. Example:\n"
             "  walpost slot advance --slot debezium --publication dbz_publication "
             "--connect-offset offset.json"),
        file_(parser()),
        flags_(parser(), config::kSetup) {
    // The mapping is of no use here, and the help is to fit a screen.
    for (const config::OptionDef& option : config::Options()) {
      const bool taken = (option.verbs & config::kSetup) != 0;
      if (taken && option.section != "postgres") {
        parser().get_option(std::string(option.flag))->group("");
      }
    }
    AddText(parser(), "--to", "LSN", to_, "where to, as 16/B374D848");
    AddText(parser(), "--connect-offset", "FILE|JSON", connect_offset_,
            "or to the lsn_commit of a connector's offset");
    AddText(parser(), "--timeline", "N", timeline_,
            "of the server when that was taken; refuses if it was left before");
    parser().add_flag("--dry-run", options_.dry_run, "check and print, move nothing");
    parser().add_flag("--json", json_, "print JSON");
  }

  int Run(const CliContext& context, const ConfigFileFlag& global) override {
    absl::Status parsed = ReadOwnFlags();
    if (!parsed.ok()) return Report(parsed, context.err);
    const config::LoadRequest request = RequestFor(context, global, file_, flags_.Values());
    config_file_ = request.file;
    auto loaded = config::Load(request);
    if (!loaded.ok()) return Report(loaded.status(), context.err);
    auto report = context.jobs.advance_slot(loaded->settings, options_);
    if (!report.ok()) return Report(report.status(), context.err);
    const config::PostgresSettings& names = loaded->settings.postgres;
    context.out << (json_ ? Json(*report, names) : Lines(*report, names));
    return Report(CheckLanded(*report, names), context.err);
  }

 private:
  using State = app::SlotAdvanceReport::State;

  absl::Status ReadOwnFlags() {
    if (to_.empty() == connect_offset_.empty()) {
      return InvalidArgumentError(StrCat(to_.empty()
                                             ? "there is nothing to advance the slot to"
                                             : "--to and --connect-offset exclude each other",
                                         "; hint: give --to LSN, or --connect-offset FILE|JSON"));
    }
    if (!timeline_.empty()) {
      std::uint32_t timeline = 0;
      if (!absl::SimpleAtoi(timeline_.back(), &timeline) || timeline == 0) {
        return InvalidArgumentError(StrCat("--timeline: ", config::Quoted(timeline_.back()),
                                           " is not a timeline; hint: it is a number from 1 on"));
      }
      options_.timeline = timeline;
    }
    return to_.empty() ? ReadOffset() : ReadTo();
  }

  absl::Status ReadTo() {
    auto target = Lsn::Parse(to_.back());
    if (!target.ok()) return InvalidArgumentError(StrCat("--to: ", target.status().message()));
    if (target->is_zero()) {
      return InvalidArgumentError("--to: 0/0 is not a position; hint: write it as 16/B374D848");
    }
    options_.target = *target;
    source_ = "--to";
    return absl::OkStatus();
  }

  absl::Status ReadOffset() {
    WALPOST_ASSIGN_OR_RETURN(const ConnectPosition position,
                             ReadConnectOffset(connect_offset_.back()));
    options_.target = position.lsn_commit;
    options_.must_end_transaction = true;
    source_ = "lsn_commit";
    owner_ = position.owner;
    return absl::OkStatus();
  }

  // A slot that is not where it was asked to go. Short of it, rows come twice; past it, they were
  // passed over.
  static absl::Status CheckLanded(const app::SlotAdvanceReport& report,
                                  const config::PostgresSettings& names) {
    if (report.state != State::kMoved || report.confirmed == report.target) return {};
    const bool past = report.confirmed > report.target;
    return absl::Status(
        past ? absl::StatusCode::kDataLoss : absl::StatusCode::kUnavailable,
        StrCat("slot ", config::Quoted(names.slot), " was asked to go to ",
               report.target.ToString(), " and is at ", report.confirmed.ToString(),
               past ? ": somebody else moved it at the same time"
                    : "; hint: run it again, or go on: rows come twice then, and none is lost"));
  }

  std::string Target(const app::SlotAdvanceReport& report) const {
    if (source_ == "--to") return report.target.ToString();
    return StrCat(report.target.ToString(), " (lsn_commit", owner_.empty() ? "" : " of ", owner_,
                  ")");
  }

  std::string Lines(const app::SlotAdvanceReport& report,
                    const config::PostgresSettings& names) const {
    const std::string slot = StrCat("slot ", config::Quoted(names.slot));
    const std::string next = StrCat("next: walpost run ", config_file_.empty() ? "" : "--config ",
                                    config_file_, config_file_.empty() ? "" : " ", "--slot ",
                                    names.slot, " --publication ", names.publication, "\n");
    if (report.state == State::kNothingToDo) {
      return StrCat("nothing to do: ", slot, " is at ", report.from.ToString(),
                    report.target == report.from ? " already" : ", past ",
                    report.target == report.from ? "" : Target(report), "\n", next);
    }
    const bool moved = report.state == State::kMoved;
    const Lsn to = moved ? report.confirmed : report.target;
    std::string out =
        StrCat(moved ? "moved " : "would move ", slot, " from ", report.from.ToString(), " to ",
               to == report.target ? Target(report) : to.ToString(), "\n");
    absl::StrAppend(&out, "passes over ", to.value() - report.from.value(),
                    " bytes of the log and ", report.transactions,
                    report.transactions == 1 ? " transaction" : " transactions", " of publication ",
                    config::Quoted(names.publication),
                    ", which walpost will not publish again\n"
                    "to come: every transaction that commits after it, whole; so the one that was "
                    "in the connector's hands when it stopped comes again\n");
    return moved ? out + next : out;
  }

  std::string Json(const app::SlotAdvanceReport& report,
                   const config::PostgresSettings& names) const {
    JsonText json;
    json.BeginObject();
    json.Member("slot", names.slot);
    json.Member("publication", names.publication);
    json.Member("state", report.state == State::kMoved     ? "moved"
                         : report.state == State::kPlanned ? "planned"
                                                           : "nothing-to-do");
    json.Member("source", source_);
    json.Member("offset_of", owner_);
    json.Member("from", report.from.ToString());
    json.Member("to", report.target.ToString());
    json.Member("confirmed", report.confirmed.ToString());
    json.Key("bytes");
    const bool forward = report.state != State::kNothingToDo;
    json.Number(forward ? report.target.value() - report.from.value() : 0);
    json.Key("transactions");
    json.Number(report.transactions);
    json.Key("at_transaction_end");
    json.Flag(report.at_transaction_end);
    json.EndObject();
    return json.Finish();
  }

  ConfigFileFlag file_;
  OptionFlags flags_;
  std::vector<std::string> to_;
  std::vector<std::string> connect_offset_;
  std::vector<std::string> timeline_;
  bool json_ = false;
  app::SlotAdvanceOptions options_;
  std::string config_file_;
  std::string source_;  // --to or lsn_commit
  std::string owner_;   // of the offset
};

}  // namespace

std::vector<std::unique_ptr<Verb>> MakeSlotVerbs(CLI::App& root) {
  CLI::App* group = root.add_subcommand("slot", "Moves a replication slot.");
  group->footer("Example:\n  walpost slot advance --slot debezium --to 16/B374D848 --dry-run");
  group->require_subcommand(0, 1);
  group->allow_extras();
  std::vector<std::unique_ptr<Verb>> verbs;
  verbs.push_back(std::make_unique<AdvanceVerb>(*group));
  return verbs;
}

}  // namespace walpost::cli
