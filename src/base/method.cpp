#include "winnow/method.hpp"

#include "base/float_mode.hpp"

namespace winnow {

template <int Dim>
void AnyMethod<Dim>::update(BoxesView<Dim> boxes, Executor& executor) {
  const DefaultFloatMode mode;
  self_->update(boxes, executor);
}

template <int Dim>
void AnyMethod<Dim>::find_pairs(Executor& executor, PairSink& sink) {
  const DefaultFloatMode mode;
  sink.open(executor.workers());
  self_->find_pairs(executor, sink);
  sink.close();
}

template class AnyMethod<2>;
template class AnyMethod<3>;

}  // namespace winnow
