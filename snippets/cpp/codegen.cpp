// Lowering to kernels, and the C++ for each of them.
#include "tiny.h"

#include <algorithm>
#include <cstdio>

namespace tiny {
// A sum gets a kernel of its own. Pointwise outputs of one shape share one, after all sums. Nodes
// in between get no memory: each loop computes the nodes that it needs.
std::vector<Kernel> lower(const Graph &graph) {
  std::vector<Kernel> kernels;
  for (int id = 0; id < graph.size(); ++id)
    if (graph[id].op == Op::sum) kernels.push_back({{id}, {}, {}});
  for (int id : graph.outputs) {
    const Node &node = graph[id];
    if (node.op == Op::input || node.op == Op::sum) continue;
    const auto same_loop = [&](const Kernel &kernel) {
      const Node &other = graph[kernel.outputs[0]];
      return other.op != Op::sum && other.shape == node.shape && other.dtype == node.dtype;
    };
    const auto place = std::ranges::find_if(kernels, same_loop);
    if (place == kernels.end()) kernels.push_back({{id}, {}, {}});
    else if (std::ranges::count(place->outputs, id) == 0) place->outputs.push_back(id);
  }
  for (Kernel &kernel : kernels) {
    std::vector<bool> needed(graph.size());
    for (int id : kernel.outputs) needed[graph[id].op == Op::sum ? graph[id].inputs[0] : id] = true;
    for (int id = graph.size(); id-- > 0;) { // users first
      const bool in_memory = graph[id].op == Op::input || graph[id].op == Op::sum;
      if (needed[id]) {
        std::vector<int> &list = in_memory ? kernel.reads : kernel.computed;
        list.insert(list.begin(), id);
      }
      for (int input : graph[id].inputs) needed[input] = needed[input] || (needed[id] && !in_memory);
    }
  }
  return kernels;
}

// One loop of a nest, and how far each tensor that is read moves in a step of it.
struct Loop {
  long size;
  Shape strides;
};

// Two nested loops become one if every tensor moves through both at the same pace.
static void append(std::vector<Loop> &loops, Loop inner) {
  if (inner.size == 1) return;
  bool merge = !loops.empty();
  for (size_t k = 0; merge && k < inner.strides.size(); ++k)
    merge = loops.back().strides[k] == inner.size * inner.strides[k];
  if (merge) inner.size *= loops.back().size, loops.pop_back();
  loops.push_back(inner);
}

static std::string moved(const std::string &index, long stride) {
  return stride == 0 ? "" : " + " + index + (stride == 1 ? "" : " * " + std::to_string(stride));
}

static std::string literal(double value) { // "inf" and "nan" are names that the prelude defines
  char digits[40];
  std::snprintf(digits, sizeof digits, "T(%.17g)", value);
  return digits;
}

static std::string write(const Graph &graph, const Kernel &kernel) {
  const Node &out = graph[kernel.outputs[0]];
  const bool is_sum = out.op == Op::sum;
  const Shape &domain = is_sum ? graph[out.inputs[0]].shape : out.shape;
  const Shape steps = expand_strides(out.shape, Shape(out.shape.size(), 1), domain);
  std::vector<Loop> outer, summed; // over the result, and over what one of its elements adds up
  for (size_t k = 0; k < domain.size(); ++k) {
    if (domain[k] == 1) continue;
    Loop loop{domain[k], {}};
    for (int id : kernel.reads) {
      const Node &read = graph[id]; // an input as it lies in memory, or a sum, which is dense
      const Shape strides = read.op == Op::input ? read.strides : dense_strides(read.shape);
      loop.strides.push_back(expand_strides(read.shape, strides, domain)[k]);
    }
    append(is_sum && steps[k] == 0 ? summed : outer, loop);
  }
  Loop inner{1, Shape(kernel.reads.size())};
  if (!outer.empty()) inner = outer.back(), outer.pop_back();

  std::string head, pointers, loops, nodes, arrays, results, stores;
  int slot = 0;
  for (size_t r = 0; r < kernel.reads.size(); ++r) {
    std::string start, element = moved("k", inner.strides[r]);
    long below = 1;
    for (size_t k = outer.size(); k-- > 0; below *= outer[k].size)
      start += moved(fill(below == 1 ? "row" : "row / @", below) + (k ? fill(" % @", outer[k].size) : ""),
                     outer[k].strides[r]);
    start += moved("column", inner.strides[r]);
    for (size_t k = 0; k < summed.size(); ++k) element += moved(fill("r@", k), summed[k].strides[r]);
    const int id = kernel.reads[r];
    head += fill("  const T *in@ = (const T *)buffers[", id) + std::to_string(slot++) + "];\n";
    pointers += fill("    const T *__restrict p@ = in@", id) + start + ";\n";
    nodes += fill("      const T v@ = p@[", id) + (element.empty() ? "0" : element.substr(3)) + "];\n";
  }
  for (size_t k = 0; k < summed.size(); ++k)
    loops += fill("    for (long r@ = 0; r@ < ", k) + std::to_string(summed[k].size) + fill("; ++r@)\n", k);
  for (int id : kernel.computed) {
    const Node &node = graph[id];
    std::string value = node.op == Op::constant ? literal(node.value) : info(node.op).expression;
    for (size_t k = node.inputs.size(); k-- > 0;) value = replace(value, k ? "B" : "A", fill("v@", node.inputs[k]));
    nodes += fill("      const T v@ = ", id) + value + ";\n";
  }
  for (int id : kernel.outputs) {
    head += fill("  T *out@ = (T *)buffers[", id) + std::to_string(slot++) + "];\n";
    arrays += fill(is_sum ? "    alignas(64) T block@[block] = {};\n" : "    alignas(64) T block@[block];\n", id);
    results += fill(is_sum ? "      block@[k] += v" : "      block@[k] = v", id) +
               std::to_string(is_sum ? out.inputs[0] : id) + ";\n";
    stores += fill("    store(out@ + i, block@, n);\n", id);
  }
  // The results of a block go to an array that stays in the fastest cache, and from there to memory.
  return std::string("  using T = ") + (size_of(out.dtype) == 4 ? "float" : "double") + ";\n" + head +
         fill(R"(
  for (long i = begin, n; i < end; i += n) {
    const long row = i / @, column = i % @;
    n = least(@ - column, end - i, block);
)",
              inner.size) +
         pointers + arrays + loops + "    for (long k = 0; k < n; ++k) {\n" + nodes + results + "    }\n" + stores +
         "  }\n}\n";
}

// A usual store reads the cache line that it overwrites, a stream doesn't: a third less traffic for
// a loop that reads one tensor and writes one. It pays for results that outgrow the cache.
static const char *const prelude = R"(#include <cmath>
#include <cstring>
#define inf INFINITY
#define nan NAN
#ifdef __SSE2__
#include <emmintrin.h>
#endif

constexpr long block = 256;
static long least(long a, long b, long c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }

template <class T> static void store(T *to, const T *from, long n) {
  long done = 0;
#ifdef __SSE2__
  constexpr long step = 16 / sizeof(T);
  if (STREAM && (unsigned long)to % 16 == 0)
    for (; done + step <= n; done += step)
      _mm_stream_si128((__m128i *)(to + done), *(const __m128i *)(from + done));
#endif
  std::memcpy(to + done, from + done, sizeof(T) * (n - done));
}
)";

std::string generate(const Graph &graph, const std::vector<Kernel> &kernels) {
  long largest = 0;
  std::string code = prelude;
  for (size_t k = 0; k < kernels.size(); ++k) {
    const Node &out = graph[kernels[k].outputs[0]];
    largest = std::max(largest, numel(out.shape) * size_of(out.dtype));
    code += fill("\nextern \"C\" void kernel@(void **buffers, long begin, long end) {\n", k) + write(graph, kernels[k]);
  }
  return replace(code, "STREAM", largest < (16 << 20) ? "false" : "true");
}
} // namespace tiny
