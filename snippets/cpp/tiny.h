// A compiler for tensor functions: graph, passes, backends, guards, gradients. All declarations.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace tiny {
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// ---- Tensors: a buffer that may be shared, and how a shape lies in it (tensor.cpp)
using Shape = std::vector<long>;
enum class DType { float32, float64 };
long numel(const Shape &shape);
Shape dense_strides(const Shape &shape);
Shape broadcast(const Shape &a, const Shape &b, const std::string &op);
// The strides that read a tensor as if it had `shape`: 0 where it is repeated.
Shape expand_strides(const Shape &from, const Shape &strides, const Shape &shape);
std::string to_string(const Shape &shape);
inline std::string to_string(DType type) { return type == DType::float32 ? "float32" : "float64"; }
inline long size_of(DType type) { return type == DType::float32 ? 4 : 8; }

struct Tensor {
  Shape shape, strides;
  DType dtype = DType::float32;
  long offset = 0, capacity = 0; // in elements, like the strides
  std::shared_ptr<void> storage;
  Tensor() = default;
  explicit Tensor(Shape shape, DType dtype = DType::float32); // contiguous, not initialized
  static Tensor of(const std::vector<double> &values, Shape shape, DType dtype = DType::float32);
  static Tensor random(Shape shape, DType dtype = DType::float32, unsigned seed = 1); // -1 to 1
  template <class T> T *data() const { return static_cast<T *>(storage.get()) + offset; }
  // Any window on the same buffer: transposed, overlapping, every second element.
  Tensor view(Shape shape, Shape strides, long start = 0) const;
  std::vector<double> values() const; // in logical order, whatever the strides are
};

// Call f(T{}) with the C++ type of a dtype.
template <class F> auto with_type(DType dtype, F &&f) { return dtype == DType::float32 ? f(float{}) : f(double{}); }

// A row is the last dimension; `row` counts all positions of the dimensions before it.
inline long width(const Shape &shape) { return shape.empty() ? 1 : shape.back(); }
inline long rows(const Shape &shape) { return width(shape) ? numel(shape) / width(shape) : 0; }
inline long last(const Shape &strides) { return strides.empty() ? 0 : strides.back(); }
long row_offset(long row, const Shape &shape, const Shape &strides);

// Split [0, count) among the threads. Every part but the last is a multiple of `grain`.
void parallel_for(long count, long grain, const std::function<void(long, long)> &body);

// ---- Text (graph.cpp)
std::string replace(std::string code, const std::string &from, const std::string &to);
std::string environment(const char *name, const char *otherwise);
inline std::string fill(const std::string &code, long x) { return replace(code, "@", std::to_string(x)); }

// ---- The graph, and how ordinary C++ code becomes one (graph.cpp)
// clang-format off
// --8<-- [start:ops]
// Name, number of inputs, and the result for A and B. The expression is used twice: compiled into
// the interpreter, and as text in generated code. So the two cannot disagree.
#define POINTWISE_OPS(X)                                                                    \
  X(neg, 1, -A) X(exp, 1, std::exp(A)) X(log, 1, std::log(A)) X(sin, 1, std::sin(A))         \
  X(cos, 1, std::cos(A)) X(tanh, 1, std::tanh(A)) X(sqrt, 1, std::sqrt(A))                   \
  X(relu, 1, A < 0 ? T(0) : A) /* keeps NaN */ X(step, 1, A <= 0 ? T(0) : T(1))              \
  X(add, 2, A + B) X(sub, 2, A - B) X(mul, 2, A * B) X(div, 2, A / B)
// --8<-- [end:ops]
// clang-format on
#define X(name, arity, expression) name,
enum class Op { input, constant, sum, POINTWISE_OPS(X) }; // a sum adds elements up, to a smaller shape
#undef X

struct OpInfo {
  const char *name;
  size_t arity;
  const char *expression; // null for the first three
};
const OpInfo &info(Op op);
Op op_named(const std::string &name); // throws Error for an unknown one

struct Node {
  Op op;
  std::vector<int> inputs; // ids of earlier nodes
  Shape shape;
  DType dtype = DType::float32;
  double value = 0; // of a constant
  Shape strides{};  // of an input
  bool operator==(const Node &) const = default;
};

// A node's id is its place in `nodes`. It comes after its inputs, so the nodes can run in order.
struct Graph {
  std::vector<Node> nodes;
  std::vector<int> outputs;
  const Node &operator[](int id) const { return nodes[id]; }
  int size() const { return int(nodes.size()); }
  int add(Node node) { return nodes.push_back(std::move(node)), size() - 1; }
  int apply(Op op, const std::vector<int> &inputs); // pointwise; throws Error if they don't fit
  int constant(double value, DType type, Shape shape = {}) { return add({Op::constant, {}, shape, type, value, {}}); }
};
std::string to_string(const Graph &graph);

// clang-format off
// --8<-- [start:value]
// What a traced function computes with. It stands for a tensor and has no elements.
struct Value {
  Graph *graph;
  int id;
  const Node &node() const { return (*graph)[id]; }
  Shape shape() const { return node().shape; } // a copy: a reference would dangle when nodes are added
  Value constant(double value) const { return {graph, graph->constant(value, node().dtype)}; }
};
using Values = std::vector<Value>;
using Function = std::function<Values(const Values &)>;

Value apply(Op op, const Values &inputs);
#define BINARY(symbol, op)                                                              \
  inline Value operator symbol(Value a, Value b) { return apply(op, {a, b}); }          \
  inline Value operator symbol(Value a, double b) { return a symbol a.constant(b); }    \
  inline Value operator symbol(double a, Value b) { return b.constant(a) symbol b; }
BINARY(+, Op::add) BINARY(-, Op::sub) BINARY(*, Op::mul) BINARY(/, Op::div)
inline Value operator-(Value a) { return apply(Op::neg, {a}); }
#define UNARY(name) inline Value name(Value a) { return apply(Op::name, {a}); }
UNARY(exp) UNARY(log) UNARY(sin) UNARY(cos) UNARY(tanh) UNARY(sqrt) UNARY(relu) UNARY(step)
// --8<-- [end:value]
Value expand(Value a, const Shape &shape);
// clang-format on
Value sum_to(Value a, const Shape &shape = {}); // the opposite of expand
Value mean(Value a, const Shape &shape = {});
Graph trace(const Function &function, const std::vector<Tensor> &examples);
// Add the gradients of a graph's only output, a scalar: one more output for each input.
Graph gradients(const Graph &forward);

// ---- Passes: each returns a graph that computes the same (passes.cpp)
using Pass = std::pair<const char *, Graph (*)(const Graph &)>;
const std::vector<Pass> &passes();
Graph optimize(Graph graph); // all passes, until the graph gets no smaller

// ---- Backends: what runs a graph (backends.cpp, codegen.cpp)
using Executable = std::function<std::vector<Tensor>(const std::vector<Tensor> &)>;
struct Backend {
  virtual ~Backend() = default;
  virtual Executable compile(const Graph &graph) = 0;
};
// Runs one node after the other, each into a tensor of its own: the reference.
struct EagerBackend : Backend {
  Executable compile(const Graph &graph) override;
};
struct NoCompiler : Error {
  using Error::Error;
};

// Optimizes the graph, writes C++, has the system's compiler translate it, and loads the result.
struct CppBackend : Backend {
  std::string compiler, flags;
  explicit CppBackend(std::string compiler = environment("CXX", "c++"), std::string flags = "")
      : compiler(std::move(compiler)), flags(std::move(flags)) {}
  Executable compile(const Graph &graph) override; // throws Error, NoCompiler
};

// One loop nest: the nodes that it writes, those it reads (inputs and sums), those it computes.
struct Kernel {
  std::vector<int> outputs, reads, computed;
};
std::vector<Kernel> lower(const Graph &graph);
std::string generate(const Graph &graph, const std::vector<Kernel> &kernels);

struct CompiledFunction {
  struct Version {
    std::vector<Node> guards; // the input nodes: dtype, shape and strides, on which the loops rely
    Executable run;
  };
  static constexpr size_t limit = 8; // versions; after that, a call that fits none runs eagerly
  Function function;
  std::shared_ptr<Backend> backend;
  bool with_gradients = false;
  std::vector<Version> versions{};
  std::vector<std::string> log{}; // a line for each compile or fallback, with its reason
  std::vector<Tensor> operator()(const std::vector<Tensor> &inputs);
};
} // namespace tiny
