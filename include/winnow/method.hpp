// What a pair-finding method is (PairMethod), and the thin handle to any one of them (AnyMethod).
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "winnow/boxes.hpp"
#include "winnow/executor.hpp"
#include "winnow/option.hpp"
#include "winnow/sink.hpp"

namespace winnow {

struct MethodInfo {
  std::string name;            // registry name = folder = header = docs
  std::string summary;         // one line
  std::string paper;           // what it follows; empty if our own
  bool keeps_state = false;    // works faster or differently when the last frame was similar
  bool by_candidates = false;  // its structure yields candidates, which are then tested exactly
};

// One figure or choice a method tells of its last frame, for people and records.
struct Stat {
  std::string name;
  std::variant<double, std::string> value;
};

struct MethodStats {
  std::uint64_t candidates = 0;  // pairs of boxes compared, as the method's paper counts them
  std::size_t memory_bytes = 0;  // held by the method, beside input and pairs
  std::vector<Stat> details;     // whatever else it wants to tell
};

// A method finds all overlapping pairs of the boxes of its last update. The boxes are borrowed: they stay
// where they are, unchanged, until find_pairs has returned. update refuses bad boxes (require_valid) before
// it changes anything.
template <class M, int Dim>
concept PairMethod = requires(M method, const M& const_method, const typename M::Options& options,
                              BoxesView<Dim> boxes, Executor& executor, PairSink& sink) {
  M(options);
  { M::info() } -> std::same_as<MethodInfo>;
  { M::option_table() } -> std::same_as<const OptionTable<typename M::Options>&>;
  method.update(boxes, executor);
  method.find_pairs(executor, sink);
  { const_method.stats() } -> std::same_as<MethodStats>;
};

// For methods without options.
struct NoOptions {
  static const OptionTable<NoOptions>& table() {
    static const OptionTable<NoOptions> table;
    return table;
  }
};

// Owns a method of any kind: one virtual call per phase.
template <int Dim>
class AnyMethod {
 public:
  template <class M>
  requires PairMethod<M, Dim>
  static AnyMethod of(M method) { return AnyMethod(std::make_unique<Model<M>>(std::move(method))); }

  MethodInfo info() const { return self_->info(); }

  void update(BoxesView<Dim> boxes, Executor& executor);
  void find_pairs(Executor& executor, PairSink& sink);

  MethodStats stats() const { return self_->stats(); }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual MethodInfo info() const = 0;
    virtual void update(BoxesView<Dim> boxes, Executor& executor) = 0;
    virtual void find_pairs(Executor& executor, PairSink& sink) = 0;
    virtual MethodStats stats() const = 0;
  };

  template <class M>
  struct Model final : Interface {
    explicit Model(M m) : method(std::move(m)) {}
    MethodInfo info() const override { return M::info(); }
    void update(BoxesView<Dim> boxes, Executor& executor) override { method.update(boxes, executor); }
    void find_pairs(Executor& executor, PairSink& sink) override { method.find_pairs(executor, sink); }
    MethodStats stats() const override { return method.stats(); }
    M method;
  };

  explicit AnyMethod(std::unique_ptr<Interface> self) : self_(std::move(self)) {}

  std::unique_ptr<Interface> self_;
};

}  // namespace winnow
