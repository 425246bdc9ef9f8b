// The two backends, and the cache of compiled versions.
#include "tiny.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>

namespace tiny {
// One op over all rows. Both operands are read as if they had the result's shape.
template <class T, class F> static void map(const Tensor &out, const Tensor &x, const Tensor &y, F f) {
  const Shape sx = expand_strides(x.shape, x.strides, out.shape);
  const Shape sy = expand_strides(y.shape, y.strides, out.shape);
  const long n = width(out.shape);
  parallel_for(rows(out.shape), 1 + 4096 / (n + 1), [&](long begin, long end) {
    for (long row = begin; row < end; ++row) {
      const T *a = x.data<T>() + row_offset(row, out.shape, sx);
      const T *b = y.data<T>() + row_offset(row, out.shape, sy);
      const auto loop = [&, result = out.data<T>() + row * n](auto step_a, auto step_b) {
        for (long k = 0; k < n; ++k) result[k] = f(a[k * step_a], b[k * step_b]);
      };
      const std::integral_constant<long, 1> one; // a known step, so that the loop is vectorized
      if (last(sx) == 1 && last(sy) == 1) loop(one, one);
      else if (last(sx) == 1) loop(one, last(sy));
      else loop(last(sx), last(sy));
    }
  });
}

template <class T> static void add_up(const Tensor &out, const Tensor &x) {
  std::vector<double> totals(out.capacity); // more precise: this is the reference
  const Shape steps = expand_strides(out.shape, out.strides, x.shape);
  for (long row = 0; row < rows(x.shape); ++row) {
    double *total = totals.data() + row_offset(row, x.shape, steps);
    const T *a = x.data<T>() + row_offset(row, x.shape, x.strides);
    for (long k = 0; k < width(x.shape); ++k) total[k * last(steps)] += a[k * last(x.strides)];
  }
  for (long k = 0; k < out.capacity; ++k) out.data<T>()[k] = T(totals[k]);
}

template <class T> static Tensor run(const Node &node, const std::vector<Tensor> &inputs) {
  if (node.op == Op::constant) // one element, repeated
    return Tensor::of({node.value}, {}, node.dtype).view(node.shape, Shape(node.shape.size()));
  const Tensor out(node.shape, node.dtype);
  switch (node.op) {
  case Op::input:
  case Op::constant: break;
  case Op::sum: add_up<T>(out, inputs[0]); break;
#define X(name, arity, expression)                                                                                     \
  case Op::name:                                                                                                       \
    map<T>(out, inputs.front(), inputs.back(), [](T A, [[maybe_unused]] T B) { return expression; });                  \
    break;
    POINTWISE_OPS(X)
#undef X
  }
  return out;
}

Executable EagerBackend::compile(const Graph &graph) {
  return [graph](const std::vector<Tensor> &inputs) {
    std::vector<Tensor> values, results;
    for (const Node &node : graph.nodes) {
      std::vector<Tensor> operands;
      for (int input : node.inputs) operands.push_back(values[input]);
      const auto typed = [&](auto zero) { return run<decltype(zero)>(node, operands); };
      values.push_back(values.size() < inputs.size() ? inputs[values.size()] // they come first
                                                     : with_type(node.dtype, typed));
    }
    for (int output : graph.outputs) results.push_back(values[output]);
    return results;
  };
}

#ifndef KERNEL_FLAGS // the sanitizers' presets check the kernels too
#define KERNEL_FLAGS ""
#endif
#ifdef __aarch64__
#define KERNEL_TARGET "-mcpu=native"
#else
#define KERNEL_TARGET "-march=native"
#endif

std::string environment(const char *name, const char *otherwise) {
  return std::getenv(name) ? std::getenv(name) : otherwise;
}

using Library = std::shared_ptr<void>;
using KernelFunction = void (*)(void **buffers, long begin, long end);

static Library load(const std::string &code, const CppBackend &backend) {
  std::string folder = environment("TMPDIR", "/tmp") + "/tiny-XXXXXX"; // nobody else can write there
  if (!mkdtemp(folder.data())) throw Error("cannot make a folder " + folder);
  const std::string source = folder + "/kernels.cpp", library = folder + "/kernels.so", log = folder + "/log";
  std::ofstream(source) << code;
  // Not -ffast-math: NaN, infinities and -0 count. No fused multiply-add: eager mode has none.
  const std::string command = backend.compiler +
                              " -std=c++17 -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math " +
                              KERNEL_TARGET " -fPIC -shared " KERNEL_FLAGS " " + backend.flags + " '" + source +
                              "' -o '" + library + "' >'" + log + "' 2>&1";
  const int status = std::system(command.c_str());
  std::stringstream message;
  message << std::ifstream(log).rdbuf();
  void *handle = status == 0 ? dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  for (const std::string &file : {source, library, log, folder}) std::remove(file.c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    throw NoCompiler("no C++ compiler '" + backend.compiler + "': install g++ or clang++, or set CXX");
  if (status != 0) throw Error("the generated code does not compile:\n" + message.str());
  if (!handle) throw Error(std::string("the kernels cannot be loaded: ") + dlerror());
  return {handle, [](void *loaded) { dlclose(loaded); }};
}

Executable CppBackend::compile(const Graph &traced) {
  const Graph graph = optimize(traced);
  const std::vector<Kernel> kernels = lower(graph);
  const Library library = load(generate(graph, kernels), *this);
  return [graph, kernels, library](const std::vector<Tensor> &inputs) {
    std::vector<Tensor> values = inputs, results;
    values.resize(graph.nodes.size()); // the inputs are the first nodes
    for (size_t k = 0; k < kernels.size(); ++k) {
      const Node &out = graph[kernels[k].outputs[0]];
      std::vector<void *> buffers;
      for (int id : kernels[k].reads)
        buffers.push_back(values[id].data<char>() + values[id].offset * (size_of(out.dtype) - 1));
      for (int id : kernels[k].outputs) {
        values[id] = Tensor(out.shape, out.dtype);
        buffers.push_back(values[id].storage.get());
      }
      const long count = numel(out.shape),
                 work = out.op == Op::sum ? numel(graph[out.inputs[0]].shape) / (count + 1) : 1;
      const auto run = KernelFunction(dlsym(library.get(), fill("kernel@", long(k)).c_str()));
      parallel_for(count, 1 + 4095 / (work + 1), [&](long begin, long end) { run(buffers.data(), begin, end); });
    }
    for (int id : graph.outputs) results.push_back(values[id]);
    return results;
  };
}

// Why a tensor does not pass a guard; empty if it does.
static std::string failure(const Node &guard, const Tensor &tensor) {
  const auto changed = [](const char *what, const auto &from, const auto &to) {
    return std::string(what) + " was " + to_string(from) + ", is " + to_string(to);
  };
  if (tensor.dtype != guard.dtype) return changed("dtype", guard.dtype, tensor.dtype);
  if (tensor.shape != guard.shape) return changed("shape", guard.shape, tensor.shape);
  if (tensor.strides != guard.strides) return changed("strides", guard.strides, tensor.strides);
  return "";
}

// --8<-- [start:call]
std::vector<Tensor> CompiledFunction::operator()(const std::vector<Tensor> &inputs) {
  std::string reason;
  for (const Version &version : versions) {
    reason = version.guards.size() == inputs.size() ? "" : "the number of inputs changed";
    for (size_t k = 0; k < inputs.size() && reason.empty(); ++k)
      if (const std::string why = failure(version.guards[k], inputs[k]); !why.empty())
        reason = fill("input @: ", long(k)) + why;
    if (reason.empty()) return version.run(inputs);
  }
  Graph graph = trace(function, inputs);
  if (with_gradients) graph = gradients(graph);
  if (versions.size() == limit) {
    log.push_back(fill("eager: @ versions exist; ", limit) + reason);
    return EagerBackend().compile(graph)(inputs);
  }
  Version version{{graph.nodes.begin(), graph.nodes.begin() + long(inputs.size())}, nullptr};
  log.push_back(versions.empty() ? "compile: first call" : "recompile: " + reason);
  try {
    version.run = backend->compile(graph);
  } catch (const NoCompiler &error) { // any other error is a bug and must not hide
    log.push_back(std::string("eager: ") + error.what());
    version.run = EagerBackend().compile(graph);
  }
  versions.push_back(std::move(version));
  return versions.back().run(inputs);
}
// --8<-- [end:call]
} // namespace tiny
