#include "tiny.h"

#include <map>
#include <mutex>
#include <thread>

namespace tiny {
long numel(const Shape &shape) {
  long count = 1;
  for (long size : shape)
    if (size < 0 || __builtin_mul_overflow(count, size, &count) || count >> 60)
      throw Error("no tensor has shape " + to_string(shape));
  return count;
}

Shape dense_strides(const Shape &shape) {
  Shape strides(shape.size());
  long step = 1;
  for (size_t k = shape.size(); k-- > 0; step *= std::max(shape[k], 1L)) strides[k] = step;
  return strides;
}

Shape broadcast(const Shape &a, const Shape &b, const std::string &op) {
  if (a.size() < b.size()) return broadcast(b, a, op);
  Shape result = a;
  for (size_t k = 1; k <= b.size(); ++k) {
    long &size = result[a.size() - k], other = b[b.size() - k];
    if (size != other && size != 1 && other != 1)
      throw Error(op + ": shapes " + to_string(a) + " and " + to_string(b) + " don't broadcast");
    if (size == 1) size = other;
  }
  return result;
}

Shape expand_strides(const Shape &from, const Shape &strides, const Shape &shape) {
  Shape result(shape.size(), 0);
  const size_t missing = shape.size() - from.size();
  for (size_t k = 0; k < from.size(); ++k) result[missing + k] = from[k] == 1 ? 0 : strides[k];
  return result;
}

std::string to_string(const Shape &shape) {
  std::string text;
  for (long size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

// A fresh buffer costs a page fault for each 4 KiB, which takes longer than the loop that fills it.
// So a released buffer waits here for the next tensor of its size.
static std::shared_ptr<void> allocate(long bytes) {
  static auto &waiting = *new std::multimap<long, void *>;
  static auto &lock = *new std::mutex;
  const std::lock_guard guard(lock);
  const auto found = waiting.find(bytes);
  void *memory = found != waiting.end() ? found->second : operator new(size_t(bytes), std::align_val_t(64));
  if (found != waiting.end()) waiting.erase(found);
  return {memory, [bytes](void *released) {
            const std::lock_guard guard(lock);
            waiting.emplace(bytes, released);
          }};
}

Tensor::Tensor(Shape size, DType type) : shape(std::move(size)), dtype(type), capacity(numel(shape)) {
  strides = dense_strides(shape); // after numel, which rejects what overflows
  storage = allocate(capacity * size_of(type));
}

Tensor Tensor::of(const std::vector<double> &values, Shape shape, DType dtype) {
  const Tensor result(std::move(shape), dtype);
  if (result.capacity != long(values.size()))
    throw Error(std::to_string(values.size()) + " values for shape " + to_string(result.shape));
  with_type(dtype, [&](auto zero) {
    for (size_t k = 0; k < values.size(); ++k) result.data<decltype(zero)>()[k] = decltype(zero)(values[k]);
  });
  return result;
}

Tensor Tensor::random(Shape shape, DType dtype, unsigned bits) {
  std::vector<double> values(size_t(numel(shape)));
  for (double &value : values) value = (bits = bits * 1664525 + 1013904223) / 2147483648.0 - 1;
  return of(values, std::move(shape), dtype);
}

Tensor Tensor::view(Shape size, Shape steps, long start) const {
  Tensor result = *this;
  result.shape = std::move(size), result.strides = std::move(steps), result.offset += start;
  long last = result.offset, least = start;
  for (size_t k = 0; k < result.shape.size(); ++k) {
    least = std::min(least, result.strides.at(k));
    last += (result.shape[k] - 1) * result.strides[k];
  }
  if (least < 0 || (numel(result.shape) > 0 && last >= capacity))
    throw Error("a view of shape " + to_string(result.shape) + " leaves the buffer");
  return result;
}

std::vector<double> Tensor::values() const {
  std::vector<double> result;
  with_type(dtype, [&](auto zero) {
    for (long row = 0; row < rows(shape); ++row)
      for (long k = 0, begin = row_offset(row, shape, strides); k < width(shape); ++k)
        result.push_back(data<decltype(zero)>()[begin + k * last(strides)]);
  });
  return result;
}

long row_offset(long row, const Shape &shape, const Shape &strides) {
  long offset = 0;
  for (size_t k = shape.size(); k-- > 1; row /= shape[k - 1]) offset += row % shape[k - 1] * strides[k - 1];
  return offset;
}

void parallel_for(long count, long grain, const std::function<void(long, long)> &body) {
  static const long cores = std::max(1L, long(std::thread::hardware_concurrency()));
  const long parts = std::max(1L, std::min(cores, count / grain / 8)); // a thread must earn its start
  const long part = (count / grain / parts + 1) * grain;
  std::vector<std::thread> threads;
  for (long begin = part; begin < count; begin += part)
    threads.emplace_back([&, begin] { body(begin, std::min(begin + part, count)); });
  if (count > 0) body(0, std::min(part, count));
  for (std::thread &thread : threads) thread.join();
}
} // namespace tiny
