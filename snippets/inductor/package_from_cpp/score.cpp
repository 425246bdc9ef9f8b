// Load a package and score documents: with inputs in two orders, and with a batch of another size.
#include <exception>
#include <iostream>

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/version.h>

using torch::inductor::AOTIModelPackageLoader;

static void print(const char *name, const at::Tensor &scores) {
  std::cout << name << ": " << scores.numel() << " scores, the first is "
            << scores[0].item<float>() << '\n';
}

// --8<-- [start:main]
int main(int, char **arguments) {
  c10::InferenceMode no_gradients;
  AOTIModelPackageLoader model(arguments[1]);

  at::Tensor query = at::ones({3, 16});
  at::Tensor document = at::full({3, 16}, 2.0);
  print("document, query", model.run({document, query})[0]);
  print("query, document", model.run({query, document})[0]);
  print("batch of 5", model.run({at::ones({5, 16}), at::ones({5, 16})})[0]);
  // --8<-- [end:main]
  try {
    model.run({document});
  } catch (const std::exception &error) {
    std::cout << error.what() << '\n';
  }
  // --8<-- [start:version]
  std::cout << "package: torch " << model.get_metadata()["torch"]
            << ", program: torch " << TORCH_VERSION << '\n';
  // --8<-- [end:version]
}
