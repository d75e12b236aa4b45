// Evaluate: is a node's plane still a good one? Equations (1) to (3).
#include <algorithm>

#include "methods/kdtree_sweep/kd_tree.hpp"

namespace winnow::kdtree_sweep {

// In doubles: populations beyond 2^26 would overflow nothing, but lose the last digits of their squares.
double split_cost(double n, double left, double right) {
  const auto pairs = [](double x) { return x * (x - 1) / 2; };
  const double all = n + left + right;
  const double tests = pairs(n) + pairs(left) + pairs(right) + n * (left + right);
  const double most = pairs(all);
  const double least = 2 * pairs(all / 2);
  return most > least ? (tests - least) / (most - least) : 0;
}

double split_balance(double n, double left, double right) {
  const double rest = n + std::max(left, right);
  return rest > 0 ? std::min(left, right) / rest : 1;
}

template <int Dim>
bool KdTree<Dim>::evaluate(const NodeT& node) const {
  const double n = node.block_end - node.block_begin;
  const double left = nodes_[node.left].population(), right = nodes_[node.right].population();
  return split_cost(n, left, right) <= std::max(split_balance(n, left, right), node.accepted_cost);
}

template class KdTree<2>;
template class KdTree<3>;

}  // namespace winnow::kdtree_sweep
