// The processes of a run that share its training steps.
#include "selfplay/rank_processes.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <random>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/run_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

template <class T>
void write(std::string& message, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::uint64_t count = values.size();
  message.append(reinterpret_cast<const char*>(&count), sizeof count);
  message.append(reinterpret_cast<const char*>(values.data()), count * sizeof(T));
}

template <class T>
void read(const std::string& message, std::size_t& at, std::vector<T>& values) {
  std::uint64_t count = 0;
  std::memcpy(&count, message.data() + at, sizeof count);
  at += sizeof count;
  values.resize(count);
  std::memcpy(values.data(), message.data() + at, count * sizeof(T));
  at += count * sizeof(T);
}

/// Of processes of one program on one machine.
std::string to_message(double learning_rate, const TrainBatch& batch) {
  std::string message;
  write(message, std::vector<double>{learning_rate});
  write(message, batch.planes);
  write(message, batch.moves);
  write(message, batch.first_move);
  write(message, batch.policy);
  write(message, batch.wdl);
  write(message, batch.moves_left);
  return message;
}

double from_message(const std::string& message, TrainBatch& batch) {
  std::vector<double> rate;
  std::size_t at = 0;
  read(message, at, rate);
  read(message, at, batch.planes);
  read(message, at, batch.moves);
  read(message, at, batch.first_move);
  read(message, at, batch.policy);
  read(message, at, batch.wdl);
  read(message, at, batch.moves_left);
  batch.count = batch.moves_left.size();
  return rate.front();
}

constexpr const char* kEnd = "end";

void serve(const fs::path& meeting, int rank, int size) {
  const auto ranks = std::make_shared<Ranks>(meeting, rank, size);
  const std::string device = ranks->receive(0);
  if (device == kEnd) return;
  Trainer trainer = Trainer::load(ranks->receive(0), device);
  ranks->send(0, "ready");
  trainer.share_steps(ranks);
  TrainBatch batch;
  for (std::string message; (message = ranks->receive(0)) != kEnd;) {
    trainer.set_learning_rate(from_message(message, batch));
    trainer.step(batch);
  }
}

/// A process of its own, which ends with the one that forked it.
[[noreturn]] void be_rank(const fs::path& meeting, int rank, int size) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})  // rank 0 says when it is the end
    std::signal(signal, SIG_IGN);
  try {
    serve(meeting, rank, size);
    ::_exit(0);
  } catch (const std::exception& error) {
    fmt::print(stderr, "training process {}: {}\n", rank, error.what());
    ::_exit(1);
  }
}

}  // namespace

RankProcesses::RankProcesses(int size) {
  if (!has_ranks())
    throw RunError(
        "'learner.ranks' needs a program that was built with c10d's Gloo (Debian: libgloo-dev); "
        "leave it at 1");
  std::random_device device;
  const fs::path meeting =
      fs::temp_directory_path() /
      fmt::format("faultline-ranks-{}-{:08x}{:08x}", ::getpid(), device(), device());
  std::fflush(nullptr);
  for (int rank = 1; rank < size; ++rank) {
    const pid_t child = ::fork();
    if (child == 0) be_rank(meeting, rank, size);
    if (child < 0) throw RunError("fork: " + std::generic_category().message(errno));
    children_.push_back(child);
  }
  ranks_ = std::make_shared<Ranks>(meeting, 0, size);
  std::error_code ignored;
  fs::remove(meeting, ignored);  // they have met; whatever ends this run leaves nothing
}

RankProcesses::~RankProcesses() {
  try {
    for (int rank = 1; rank < ranks_->size(); ++rank)
      ranks_->send(rank, kEnd);
  } catch (const std::exception&) {  // one is dead
    for (const pid_t child : children_)
      ::kill(child, SIGKILL);
  }
  for (const pid_t child : children_)
    ::waitpid(child, nullptr, 0);
}

void RankProcesses::give_up(const std::string& why) {
  // Who died first closes the connections of all.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  for (std::size_t i = 0; i < children_.size(); ++i) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(children_[i]), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid != 0)
      throw RunError(
          fmt::format("training process {} of 'learner.ranks' has ended with {} {}; train --resume "
                      "goes on from the last checkpoint",
                      i + 1, info.si_code == CLD_EXITED ? "exit code" : "signal", info.si_status));
  }
  throw RunError("'learner.ranks': " + why);
}

void RankProcesses::begin(Trainer& trainer, const std::vector<std::string>& devices,
                          const std::filesystem::path& scratch) {
  trainer.save(scratch);
  try {
    for (int rank = 1; rank < ranks_->size(); ++rank) {
      ranks_->send(rank, devices[static_cast<std::size_t>(rank) % devices.size()]);
      ranks_->send(rank, scratch.string());
    }
    for (int rank = 1; rank < ranks_->size(); ++rank)
      ranks_->receive(rank);
  } catch (const RankError& error) {
    give_up(error.what());
  }
  std::error_code ignored;
  fs::remove(scratch, ignored);
  trainer.share_steps(ranks_);
}

StepLosses RankProcesses::step(Trainer& trainer, const TrainBatch& batch) {
  try {
    for (int rank = 1; rank < ranks_->size(); ++rank)
      ranks_->send(rank,
                   to_message(trainer.learning_rate(), share_of(batch, rank, ranks_->size())));
    return trainer.step(share_of(batch, 0, ranks_->size()));
  } catch (const RankError& error) {
    give_up(error.what());
  }
}

}  // namespace faultline
