// The program: one option for each part of the compiler.
#include "tiny.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>

using namespace tiny;

// --8<-- [start:functions]
static Values waves(const Values &in) {
  Value a = sin(in[0]), b = cos(in[1]);
  return {a + b};
}

static Values careless(const Values &in) {
  Value x = in[0], y = in[1], scale = x.constant(2) * 3.0;
  exp(x * y); // not used
  return {(sin(x) + cos(y)) * 1.0 / scale, sin(x) - -cos(y)};
}

static Values loss(const Values &in) {
  Value error = tanh(in[0] * in[1]) - in[2];
  return {mean(error * error)};
}
// --8<-- [end:functions]

static Values chain(const Values &in) { return {(relu(in[0] * 1.5 + 0.5) - 0.25) * (in[0] + 2) - in[0] * in[0]}; }
static Values gelu(const Values &in) { return {in[0] / (1 + exp(-1.702 * in[0]))}; }
static const std::vector<Tensor> inputs = {Tensor::random({4, 8}), Tensor::random({8})};

static void show_graph() { std::printf("%s", to_string(trace(waves, inputs)).c_str()); }
static void show_passes() {
  Graph graph = trace(careless, inputs);
  std::printf("%s\n", to_string(graph).c_str());
  for (int round = 1, before = -1; before != graph.size(); ++round) {
    before = graph.size();
    for (const auto &[name, run] : passes()) {
      const int nodes = graph.size();
      graph = run(graph);
      std::printf("round %d  %-22s %2d -> %2d nodes\n", round, name, nodes, graph.size());
    }
  }
  std::printf("\n%s", to_string(graph).c_str());
}

static void show_code() {
  const Graph graph = optimize(trace(careless, inputs));
  const std::string code = generate(graph, lower(graph));
  std::printf("%s", code.c_str() + code.find("extern")); // without what all kernels share
}

static void show_backends() {
  CompiledFunction eager{careless, std::make_shared<EagerBackend>()}, fast{careless, std::make_shared<CppBackend>()};
  const std::vector<Tensor> expected = eager(inputs), got = fast(inputs);
  bool equal = true;
  for (size_t k = 0; k < got.size(); ++k) equal = equal && got[k].values() == expected[k].values();
  const Graph graph = trace(careless, inputs);
  std::printf("eager: %d nodes, a loop and a tensor for each\n", graph.size() - int(inputs.size()));
  std::printf("cpp:   %zu loop\nequal bit for bit: %s\n", lower(optimize(graph)).size(), equal ? "yes" : "no");
}

static void show_guards() {
  CompiledFunction f{waves, std::make_shared<CppBackend>()};
  const Tensor x({8, 8}), shorter({5, 8}), wide({5, 8}, DType::float64);
  f({x, x}), f({x, x}), f({x.view({8, 8}, {1, 8}), x}), f({shorter, x.view({8}, {1})}), f({wide, wide}), f({x, x});
  for (const std::string &line : f.log) std::printf("%s\n", line.c_str());
  std::printf("6 calls, %zu versions\n", f.versions.size());
}

static void show_gradients() {
  const Tensor x = Tensor::random({64, 4}), weights = Tensor::of({0, 0, 0, 0}, {4});
  const Graph teacher = trace([](const Values &in) { return Values{tanh(in[0] * 0.5)}; }, {x});
  const std::vector<Tensor> in = {x, weights, EagerBackend().compile(teacher)({x})[0]};
  const Graph forward = trace(loss, in), joint = gradients(forward), better = optimize(joint);
  std::printf("%d nodes, with gradients %d, ", forward.size(), joint.size());
  std::printf("optimized %d, in %zu loops\n", better.size(), lower(better).size());
  CompiledFunction step{loss, std::make_shared<CppBackend>(), true};
  for (int k = 0; k <= 80; ++k) {
    const std::vector<Tensor> results = step(in); // the loss, then the gradient of each input
    if (k % 20 == 0) std::printf("step %2d  loss %.6f\n", k, results[0].values()[0]);
    for (long i = 0; i < 4; ++i) weights.data<float>()[i] -= results[2].data<float>()[i];
  }
  std::printf("compiles: %zu\n", step.versions.size());
}

static double median_ms(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 2] * 1e3;
}

// The three take turns, so that load hits them alike. The copy moves as many bytes as the loops do.
static void show_benchmark() {
  const Tensor x = Tensor::random({4096, 4096}), copied({4096, 4096});
  std::printf("function  eager ms  compiled ms  copy ms  share of copy\n");
  for (const auto &[name, function] : std::map<std::string, Function>{{"chain", chain}, {"gelu", gelu}}) {
    CompiledFunction eager{function, std::make_shared<EagerBackend>()}, fast{function, std::make_shared<CppBackend>()};
    const std::function<void()> candidates[] = {[&] { eager({x}); }, [&] { fast({x}); },
                                                [&] {
                                                  parallel_for(x.capacity, 1 << 20, [&](long begin, long end) {
                                                    std::memcpy(copied.data<float>() + begin, x.data<float>() + begin,
                                                                (end - begin) * 4);
                                                  });
                                                }};
    std::vector<double> times[3];
    for (int round = -2; round < 11; ++round) // two for warm-up
      for (int k = 0; k < 3; ++k) {
        const auto start = std::chrono::steady_clock::now();
        candidates[k]();
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        if (round >= 0) times[k].push_back(time.count());
      }
    const double e = median_ms(times[0]), c = median_ms(times[1]), m = median_ms(times[2]);
    std::printf("%-8s  %8.1f  %11.1f  %7.1f  %12.0f%%\n", name.c_str(), e, c, m, 100 * m / c);
  }
}

int main(int count, char **arguments) {
  const std::map<std::string, void (*)()> options = {{"--graph", show_graph},        {"--passes", show_passes},
                                                     {"--code", show_code},          {"--backends", show_backends},
                                                     {"--guards", show_guards},      {"--gradients", show_gradients},
                                                     {"--benchmark", show_benchmark}};
  if (count == 2 && options.contains(arguments[1])) return options.at(arguments[1])(), 0;
  std::fprintf(stderr, "usage: tiny --graph|--passes|--code|--backends|--guards|--gradients|--benchmark\n");
  return 2;
}
