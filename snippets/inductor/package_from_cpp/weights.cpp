// Put new weights into a package that two threads are calling.
#include <atomic>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/csrc/jit/serialization/pickle.h>

using torch::inductor::AOTIModelPackageLoader;
using Weights = std::unordered_map<std::string, at::Tensor>;

// --8<-- [start:read]
static Weights read_weights(const char *path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  Weights weights;
  for (const auto &entry : torch::jit::pickle_load(bytes).toGenericDict()) {
    weights[entry.key().toStringRef()] = entry.value().toTensor();
  }
  return weights;
}
// --8<-- [end:read]

static float score(AOTIModelPackageLoader &model) {
  c10::InferenceMode no_gradients;
  return model.run({at::ones({1, 16}), at::ones({1, 16})})[0].item<float>();
}

int main(int, char **arguments) {
  // --8<-- [start:load]
  bool run_single_threaded = false;
  size_t num_runners = 2;
  AOTIModelPackageLoader model(arguments[1], "model", run_single_threaded, num_runners);
  float before = score(model);
  // --8<-- [end:load]

  std::atomic<bool> serving = true;
  std::set<float> seen[2];
  auto serve = [&](int number) {
    do {
      seen[number].insert(score(model));
    } while (serving);
  };
  std::thread first(serve, 0);
  std::thread second(serve, 1);

  // --8<-- [start:swap]
  Weights weights = read_weights(arguments[2]);
  bool use_inactive = true;
  bool check_full_update = true;
  model.load_constants(weights, use_inactive, check_full_update);
  float loaded = score(model);
  model.get_runner()->swap_constant_buffer();
  float swapped = score(model);
  // --8<-- [end:swap]

  serving = false;
  first.join();
  second.join();
  seen[0].merge(seen[1]);
  seen[0].erase(before);
  seen[0].erase(swapped);
  std::cout << "before: " << before << '\n';
  std::cout << "loaded: " << loaded << '\n';
  std::cout << "swapped: " << swapped << '\n';
  std::cout << "other results in the threads: " << seen[0].size() << '\n';
}
