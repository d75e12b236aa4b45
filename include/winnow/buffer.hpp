// A growing array of trivial values that is never filled with zeros and keeps its room when emptied: what
// methods and sinks reuse from frame to frame.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace winnow {

// Memory for buffers: aligned to cache lines, and large blocks on large pages where the system has them,
// which spares passes over many megabytes a tenth of their time. Throws std::bad_alloc.
void* allocate_block(std::size_t bytes);
void release_block(void* block, std::size_t bytes) noexcept;

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) { resize(size); }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() { release(); }

  // Elements past the old size are uninitialised; those before it stay.
  void resize(std::size_t size) {
    if (size > capacity_) grow(size, size_);
    size_ = size;
  }
  // As resize, but the old elements may be lost, which spares copying them.
  void resize_for_overwrite(std::size_t size) {
    if (size > capacity_) grow(size, 0);
    size_ = size;
  }
  void clear() { size_ = 0; }
  void reserve(std::size_t size) {
    if (size > capacity_) grow(size, size_);
  }
  void push_back(const T& value) {
    const T copy = value;  // it may lie in the block that goes
    resize(size_ + 1);
    data_[size_ - 1] = copy;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return capacity_; }
  std::size_t memory_bytes() const { return capacity_ * sizeof(T); }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  // The new block is had before the old one goes: a failed allocation changes nothing.
  void grow(std::size_t size, std::size_t keep) {
    if (size > std::numeric_limits<std::size_t>::max() / sizeof(T) / 2) throw std::bad_alloc();
    const std::size_t capacity = capacity_ == 0 ? size : size + capacity_ / 2;
    T* data = static_cast<T*>(allocate_block(capacity * sizeof(T)));
    if (keep != 0) std::memcpy(data, data_, keep * sizeof(T));
    release();
    data_ = data;
    capacity_ = capacity;
  }
  void release() { release_block(data_, capacity_ * sizeof(T)); }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace winnow
