// `tests NAME` runs one test, `tests` all of them. CTest runs each by its name.
#include "tiny.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <random>

using namespace tiny;

static int failures = 0;
static void check(bool holds, const std::string &what) {
  if (!holds) std::printf("FAILED: %s\n", what.c_str()), ++failures;
}

static std::string error_of(const std::function<void()> &run) {
  try {
    run();
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

static bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

static const double infinity = std::numeric_limits<double>::infinity(), not_a_number = std::nan("");

// NaN equals NaN, and an infinity only itself.
static bool close(double a, double b, double tolerance) {
  if (a != a || b != b) return a != a && b != b;
  return a == b || std::abs(a - b) <= tolerance * (1 + std::abs(b));
}

// Compile a function and compare its results with the interpreter's, which runs the graph as traced.
static void same_as_eager(const std::string &what, const Function &function, const std::vector<Tensor> &in,
                          bool with_gradients = false, double tolerance = 1e-5) {
  CompiledFunction eager{function, std::make_shared<EagerBackend>(), with_gradients};
  CompiledFunction fast{function, std::make_shared<CppBackend>(), with_gradients};
  const std::vector<Tensor> expected = eager(in), got = fast(in);
  check(fast.log.size() == 1, what + ": compiled without a fallback");
  check(expected.size() == got.size(), what + ": number of outputs");
  for (size_t k = 0; k < got.size(); ++k) {
    const std::vector<double> a = got[k].values(), b = expected[k].values();
    const std::string place = what + ": output " + std::to_string(k);
    check(got[k].shape == expected[k].shape && got[k].dtype == expected[k].dtype, place + ": shape and dtype");
    const auto [x, y] = std::ranges::mismatch(a, b, [&](double p, double q) { return close(p, q, tolerance); });
    check(x == a.end() && y == b.end(), place + ": " + (x == a.end() ? "size" : std::to_string(*x)) +
                                            (y == b.end() ? "" : ", not " + std::to_string(*y)));
  }
}

// Every op, a broadcast, and sums over rows, columns and everything.
static Values everything(const Values &in) {
  Value x = in[0], y = in[1], p = x * x + 0.5;
  Shape row = x.shape(), column = x.shape();
  if (!row.empty()) row.back() = 1, column.front() = 1;
  Value scaled = x / sqrt(mean(x * x, row) + 1e-3);
  return {sin(x) + cos(y), exp(-x) * tanh(y),     log(p) - sqrt(p), relu(x) / p, step(y),
          scaled,          sum_to(x * y, column), sum_to(scaled),   x,           expand(sum_to(y), row)};
}

static void shapes() {
  for (const Shape &shape : std::vector<Shape>{{}, {1}, {7}, {3, 37}, {2, 3, 5}, {0}, {0, 4}, {4, 0}})
    same_as_eager(to_string(shape), everything,
                  {Tensor::random(shape, DType(shape.size() % 2)), Tensor::random(shape, DType(shape.size() % 2), 2)});
  same_as_eager("broadcast", everything, {Tensor::random({3, 4, 5}), Tensor::random({4, 1})});
  same_as_eager("many blocks, several threads", everything, {Tensor::random({37, 4001}), Tensor::random({4001})});
  same_as_eager("large enough for streams", [](const Values &in) { return Values{in[0] * 2 + 1}; },
                {Tensor::random({2049, 2049})});
}

static void layouts() {
  const Tensor a = Tensor::random({64}, DType::float32, 3), b = Tensor::random({4, 6}, DType::float32, 4);
  same_as_eager("transposed", everything, {b.view({6, 4}, {1, 6}), Tensor::random({6, 4})});
  same_as_eager("every second", everything, {b.view({4, 3}, {6, 2}, 1), Tensor::random({3})});
  same_as_eager("overlapping windows", everything, {a.view({10, 8}, {3, 1}), a.view({8}, {1}, 2)});
  same_as_eager("one element repeated", everything, {a.view({4, 6}, {0, 0}, 5), b});
  same_as_eager("the same tensor twice", everything, {b, b});
  same_as_eager("a window on nothing", everything, {a.view({0, 4}, {4, 1}, 64), a.view({4}, {1}, 60)});
  for (const Shape &steps : std::vector<Shape>{{8, 1}, {-1, 1}})
    check(contains(error_of([&] { a.view({8, 9}, steps); }), "leaves the buffer"), "a view out of range");
}

static void special_values() {
  const std::vector<double> odd = {not_a_number, infinity, -infinity, 0.0, -0.0, 1.0, -1.0, 1e-42, 3e38};
  std::vector<double> left, right;
  for (double a : odd)
    for (double b : odd) left.push_back(a), right.push_back(b);
  const Function function = [](const Values &in) {
    Value x = in[0], y = in[1];
    return Values{x + y,         x - y,
                  x * y,         x / y,
                  relu(x),       step(x),
                  exp(x),        log(x),
                  sqrt(x),       tanh(x),
                  sin(x),        cos(x),
                  sum_to(x),     x * infinity,
                  x * -infinity, x + not_a_number,
                  x * 0,         x - x,
                  1 / (x + 0),   1 / (x * 1.0 / 1.0),
                  -(-x),         1 / (x + -y),
                  1 / (x - -y),  1 / (x * -1.0),
                  1 / (x - 0.0), 1 / (x * -0.0 + y)};
  };
  const Shape shape = {long(left.size())};
  for (DType dtype : {DType::float32, DType::float64})
    same_as_eager("NaN, infinities, -0", function, {Tensor::of(left, shape, dtype), Tensor::of(right, shape, dtype)});
}

static Values random_function(const Values &in, unsigned seed) {
  std::mt19937 bits(seed);
  Values values = in;
  for (int k = 0; k < 30; ++k) {
    Value a = values[bits() % values.size()], b = values[bits() % values.size()];
    switch (bits() % 10) {
    case 0: values.push_back(a + b); break;
    case 1: values.push_back(a - -b); break;
    case 2: values.push_back(a * (bits() % 2 ? 1.0 : -1.0)); break;
    case 3: values.push_back(tanh(a) * b); break;
    case 4: values.push_back(a / (b * b + 1)); break;
    case 5: values.push_back(sin(a)); break;
    case 6: values.push_back(mean(a, Shape(a.shape().size(), 1))); break;
    case 7: values.push_back(relu(a) - step(b)); break;
    case 8: values.push_back(a.constant(2) * 0.25 * a); break;
    case 9: values.push_back(expand(mean(a), b.shape())); break;
    }
  }
  Value total = values[0].constant(0);
  for (Value value : values) total = total + mean(tanh(value));
  return {total};
}

static void random_graphs() {
  for (unsigned seed = 0; seed < 4; ++seed)
    same_as_eager(
        "seed " + std::to_string(seed), [seed](const Values &in) { return random_function(in, seed); },
        {Tensor::random({4, 5}, DType::float64, seed), Tensor::random({5}, DType::float64, seed + 1)}, true, 1e-9);
}

static void gradient_values() {
  const Function function = [](const Values &in) {
    Value x = in[0], w = in[1], y = x * w;
    Value rows = sum_to(y, {3, 1});
    return Values{sum_to(sin(y) * cos(x) + exp(-y) / sqrt(y * y + 1) + tanh(w) * log(x * x + 1) + relu(y) * rows - w)};
  };
  CompiledFunction eager{function, std::make_shared<EagerBackend>()};
  CompiledFunction fast{function, std::make_shared<CppBackend>(), true};
  const std::vector<Tensor> in = {Tensor::random({3, 4}, DType::float64, 7), Tensor::random({4}, DType::float64, 8)};
  const std::vector<Tensor> results = fast(in);
  const double h = 1e-6;
  for (size_t k = 0; k < in.size(); ++k)
    for (long i = 0; i < in[k].capacity; ++i) {
      double &element = in[k].data<double>()[i], kept = element;
      element = kept + h;
      const double above = eager(in)[0].values()[0];
      element = kept - h;
      const double below = eager(in)[0].values()[0];
      element = kept;
      check(close(results[k + 1].values()[size_t(i)], (above - below) / (2 * h), 1e-6),
            "gradient of input " + std::to_string(k) + " beside a difference quotient");
    }
  check(contains(error_of([&] { gradients(trace(everything, in)); }), "exactly one output"), "not a scalar");
  const Graph unused = gradients(trace([](const Values &v) { return Values{sum_to(v[0])}; }, in));
  check(unused.outputs.size() == 3 && unused[unused.outputs[2]].shape == Shape{4}, "an unused input");
}

static int nodes_after_passes(const std::function<Value(Value, Value)> &f) {
  return optimize(trace([f](const Values &in) { return Values{f(in[0], in[1])}; }, {Tensor({4}), Tensor({4})})).size();
}

static void pass_results() { // two nodes are the inputs
  check(nodes_after_passes([](Value x, Value y) { return exp(y), sin(x); }) == 3, "dead code");
  check(nodes_after_passes([](Value x, Value) { return sin(x) * sin(x); }) == 4, "common subexpressions");
  check(nodes_after_passes([](Value x, Value) { return x * (x.constant(2) * 3.0); }) == 4, "constant folding");
  check(nodes_after_passes([](Value x, Value) { return -(-x) * 1.0 / 1.0; }) == 2, "algebraic rewrites");
  check(nodes_after_passes([](Value x, Value y) { return x - -y; }) == 3, "a - -b");
  check(nodes_after_passes([](Value x, Value) { return x * 0; }) == 4, "x * 0 stays");
  check(nodes_after_passes([](Value x, Value) { return x + 0; }) == 4, "x + 0 stays");
  check(nodes_after_passes([](Value x, Value y) { return x * 0.0 + y * -0.0; }) == 7, "0 and -0 stay apart");
  check(nodes_after_passes([](Value x, Value) { return x.constant(3) * x.constant(1); }) == 3, "a constant result");
}

static void caching() {
  const Function twice = [](const Values &in) { return Values{in[0] * 2}; };
  CompiledFunction f{twice, std::make_shared<CppBackend>()};
  const Tensor a = Tensor::random({6, 6}), transposed = a.view({6, 6}, {1, 6});
  f({a}), f({Tensor({6, 6})}), f({a.view({6, 6}, {6, 1})});
  check(f.versions.size() == 1, "equal guards: one version");
  check(f({transposed})[0].values()[1] == 2 * a.values()[6], "the version of another layout is not used");
  f({Tensor({5, 6})}), f({Tensor({5, 6}, DType::float64)}), f({a});
  check(f.versions.size() == 4, "a new layout, shape and dtype: three more");
  check(f.log[1] == "recompile: input 0: strides was [6, 1], is [1, 6]", f.log[1]);
  check(f.log[2] == "recompile: input 0: shape was [6, 6], is [5, 6]", f.log[2]);
  CompiledFunction many{twice, std::make_shared<EagerBackend>()};
  for (long n = 0; n < 12; ++n) check(many({Tensor({n})})[0].shape == Shape{n}, "results beyond the limit");
  check(many.versions.size() == 8 && contains(many.log.back(), "eager: 8 versions exist"), many.log.back());
  CompiledFunction any{[](const Values &in) { return Values{in.back() * 2}; }, std::make_shared<EagerBackend>()};
  any({a}), any({a, a});
  check(any.log[1] == "recompile: the number of inputs changed", any.log[1]);
}

static void bad_input() {
  const auto error = [](const Function &function, const std::vector<Tensor> &in) {
    return error_of([&] { CompiledFunction{function, std::make_shared<CppBackend>()}(in); });
  };
  const Function add = [](const Values &in) { return Values{in[0] + in[1]}; };
  const std::string shapes = error(add, {Tensor({2, 3}), Tensor({2, 4})});
  check(shapes == "add: shapes [2, 3] and [2, 4] don't broadcast", shapes);
  const std::string dtypes = error(add, {Tensor({2}), Tensor({2}, DType::float64)});
  check(dtypes == "add: dtypes float32 and float64 differ", dtypes);
  const Function unknown = [](const Values &in) { return Values{apply(op_named("erf"), in)}; };
  check(contains(error(unknown, {Tensor({2})}), "unknown op 'erf'"), "unknown op");
  const Function arity = [](const Values &in) { return Values{apply(Op::sin, {in[0], in[0]})}; };
  check(contains(error(arity, {Tensor({2})}), "sin can't be applied to 2 values"), "arity");
  const Function larger = [](const Values &in) { return Values{sum_to(in[0], {3})}; };
  check(contains(error(larger, {Tensor({1})}), "sum: [1] has no sum of shape [3]"), "sum");
  Values kept;
  const Graph other = trace([&](const Values &in) { return kept = in; }, {Tensor({2})});
  const Function mixed = [&](const Values &in) { return Values{in[0] + kept[0]}; };
  check(contains(error(mixed, {Tensor({2})}), "different traces"), "a value of another trace");
  check(contains(error_of([] { Tensor({-1}); }), "no tensor has shape [-1]"), "a negative size");
  check(contains(error_of([] { Tensor({1L << 40, 1L << 40}); }), "no tensor has shape"), "too large");
  check(contains(error_of([] { Tensor::of({1, 2}, {3}); }), "2 values for shape [3]"), "values");
}

static void compilers() {
  const Function twice = [](const Values &in) { return Values{in[0] * 2}; };
  CompiledFunction none{twice, std::make_shared<CppBackend>("no-such-compiler")};
  check(none({Tensor::of({1, 2}, {2})})[0].values() == std::vector<double>{2, 4}, "no compiler: eager");
  check(none.log.size() == 2 && contains(none.log[1], "no C++ compiler 'no-such-compiler'"), "no compiler: said");
  const auto compiler = std::make_shared<CppBackend>(environment("CXX", "c++"), "-Dkernel0=1x");
  CompiledFunction broken{twice, compiler};
  const std::string error = error_of([&] { broken({Tensor({2})}); });
  check(contains(error, "the generated code does not compile") && contains(error, "error:"), error);
  check(broken.versions.empty(), "a failed compile is not cached");
  compiler->flags = "";
  check(broken({Tensor::of({1, 2}, {2})})[0].values() == std::vector<double>{2, 4}, "the next call compiles again");
}

int main(int count, char **arguments) {
  const std::map<std::string, void (*)()> tests = {{"shapes", shapes},
                                                   {"layouts", layouts},
                                                   {"special_values", special_values},
                                                   {"random_graphs", random_graphs},
                                                   {"gradient_values", gradient_values},
                                                   {"pass_results", pass_results},
                                                   {"caching", caching},
                                                   {"bad_input", bad_input},
                                                   {"compilers", compilers}};
  int run = 0;
  for (const auto &[name, test] : tests)
    if (count < 2 || name == arguments[1]) test(), ++run;
  std::printf("%d tests, %d failures\n", run, failures);
  return failures || !run;
}
