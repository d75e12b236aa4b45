// External objects: those of the nodes above that reach into a node's region (§3.1).
#pragma once

#include <cstddef>
#include <span>

#include "methods/kdtree_sweep/kd_tree.hpp"

namespace winnow::kdtree_sweep {

// Appends copies of those objects that keep(object) holds for; writes all and keeps some: no branch for each.
// `objects` may be a part of `to` if that has the room.
template <int Dim, class Keep>
void append_if(std::span<const Object<Dim>> objects, Buffer<Object<Dim>>& to, Keep keep) {
  const std::size_t size = to.size();
  to.resize(size + objects.size());
  Object<Dim>* out = to.data() + size;
  for (const Object<Dim>& object : objects) {
    *out = object;
    out += static_cast<std::size_t>(keep(object));
  }
  to.resize(static_cast<std::size_t>(out - to.data()));
}

template <int Dim>
void append(std::span<const Object<Dim>> objects, Buffer<Object<Dim>>& to) {
  append_if(objects, to, [](const Object<Dim>&) { return true; });
}

// Appends those of to[begin, end), external to `parent` or of its block, that are external to the child.
// Resting ones are left out where all the child's pairs are remembered and nothing in it has moved.
template <int Dim>
void append_childs(const Node<Dim>& parent, bool left_child, bool only_moved_ones, std::size_t begin,
                   std::size_t end, Buffer<Object<Dim>>& to) {
  const std::size_t size = to.size();
  to.resize(size + (end - begin));  // room first: `to` must not move while it is read
  to.resize(size);
  const std::span<const Object<Dim>> parents(to.data() + begin, end - begin);
  const int axis = parent.axis;
  const float plane = parent.plane;
  if (only_moved_ones)
    append_if(parents, to, [=](const Object<Dim>& o) {
      return o.moved & (left_child ? o.box.lo[axis] < plane : o.box.hi[axis] >= plane);
    });
  else if (left_child)
    append_if(parents, to, [=](const Object<Dim>& o) { return o.box.lo[axis] < plane; });
  else
    append_if(parents, to, [=](const Object<Dim>& o) { return o.box.hi[axis] >= plane; });
}

}  // namespace winnow::kdtree_sweep
