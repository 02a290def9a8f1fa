// Tells which digits pictures show, all of them in one batch: classify <folder of make_model.py> <picture.pgm>...
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "mxnet/c_predict_api.h"

namespace fs = std::filesystem;

namespace {

constexpr mx_uint side = 28, pixels = side * side;

void check(int result) {
  if (result != 0) throw std::runtime_error(MXGetLastError());
}

std::string read_file(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + " cannot be read");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A network with its parameters, for one input of a fixed shape.
class Predictor {
 public:
  Predictor(const std::string &network, const std::string &params, const char *input, const std::vector<mx_uint> &shape)
      : input_(input) {
    const char *names[] = {input};
    const mx_uint offsets[] = {0, static_cast<mx_uint>(shape.size())};
    PredictorHandle made;
    check(MXPredCreate(network.c_str(), params.data(), static_cast<int>(params.size()), 1 /* CPU */, 0, 1, names, offsets,
                       shape.data(), &made));
    handle_.reset(made);
  }

  std::vector<float> operator()(const std::vector<float> &data) const {
    check(MXPredSetInput(handle_.get(), input_.c_str(), data.data(), static_cast<mx_uint>(data.size())));
    check(MXPredForward(handle_.get()));
    mx_uint *shape, dimensions, size = 1;
    check(MXPredGetOutputShape(handle_.get(), 0, &shape, &dimensions));
    for (mx_uint i = 0; i < dimensions; i++) size *= shape[i];
    std::vector<float> output(size);
    check(MXPredGetOutput(handle_.get(), 0, output.data(), size));
    return output;
  }

 private:
  struct Free {
    void operator()(void *handle) const { MXPredFree(handle); }
  };
  std::string input_;
  std::unique_ptr<void, Free> handle_;
};

// Appends the grey values of a picture.
void add_picture(const fs::path &path, std::vector<float> &batch) {
  const std::string header = "P5\n28 28\n255\n", content = read_file(path);
  if (content.compare(0, header.size(), header) != 0 || content.size() != header.size() + pixels)
    throw std::runtime_error(path.string() + " is not a PGM picture of 28 x 28 grey values");
  for (auto byte = content.begin() + static_cast<std::ptrdiff_t>(header.size()); byte != content.end(); ++byte)
    batch.push_back(static_cast<unsigned char>(*byte));
}

void classify(const fs::path &folder, const std::vector<fs::path> &pictures) {
  std::vector<float> batch;
  for (const auto &picture : pictures) add_picture(picture, batch);
  const auto count = static_cast<mx_uint>(pictures.size());
  const Predictor predict(read_file(folder / "digits-symbol.json"), read_file(folder / "digits-0000.params"), "data",
                          {count, 1, side, side});
  const auto probabilities = predict(batch);
  const auto classes = static_cast<std::ptrdiff_t>(probabilities.size() / count);
  auto row = probabilities.begin();
  for (const auto &picture : pictures) {
    const auto best = std::max_element(row, row + classes);
    std::printf("%s: %d (%f)\n", picture.filename().c_str(), static_cast<int>(best - row), *best);
    row += classes;
  }
}

}  // namespace

int main(int argc, char **argv) try {
  if (argc < 3) throw std::runtime_error("usage: classify <folder> <picture.pgm>...");
  classify(argv[1], {argv + 2, argv + argc});
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "classify: %s\n", error.what());
  return 1;
}
