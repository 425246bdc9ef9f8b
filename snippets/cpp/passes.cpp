// Passes. Each copies a graph and leaves something out.
#include "tiny.h"

#include <optional>

namespace tiny {
// Copy a graph node by node. `rule` gets each node with its inputs already replaced, and returns
// the id of an equal node of the new graph; or nothing, and the node is copied.
template <class Rule> static Graph rewrite(const Graph &graph, Rule rule) {
  Graph result;
  std::vector<int> copies;
  for (Node node : graph.nodes) {
    for (int &input : node.inputs) input = copies[input];
    const std::optional<int> equal = rule(result, node);
    copies.push_back(equal ? *equal : result.add(node));
  }
  for (int output : graph.outputs) result.outputs.push_back(copies[output]);
  return result;
}

static Graph fold_constants(const Graph &graph) {
  return rewrite(graph, [](Graph &result, Node node) -> std::optional<int> {
    Graph alone; // of the node and its inputs: the interpreter knows how to compute it
    for (int &input : node.inputs) {
      if (result[input].op != Op::constant || !result[input].shape.empty()) return {};
      input = alone.add(result[input]);
    }
    if (!info(node.op).expression) return {};
    alone.outputs = {alone.add(node)};
    return result.constant(EagerBackend().compile(alone)({})[0].values()[0], node.dtype);
  });
}

// --8<-- [start:simplify]
// These rewrites are exact for NaN, infinities and -0 too. Three that are not, and so are missing:
// x * 0 = 0 and x - x = 0 (both are NaN for an infinity), x + 0 = x (that is 0 for -0).
static Graph simplify(const Graph &graph) {
  return rewrite(graph, [](Graph &result, const Node &node) -> std::optional<int> {
    if (node.inputs.empty()) return {};
    const int a = node.inputs.front(), b = node.inputs.back();
    const auto is = [&](int id, double value) { return result[id].op == Op::constant && result[id].value == value; };
    const auto fits = [&](int id) { return result[id].shape == node.shape; };
    const auto negated = [&](int id) { return result[id].op == Op::neg; };
    const auto inner = [&](int id) { return result[id].inputs[0]; };
    if ((node.op == Op::mul || node.op == Op::div) && is(b, 1) && fits(a)) return a;
    if (node.op == Op::mul && is(a, 1) && fits(b)) return b;
    if (node.op == Op::mul && is(b, -1) && fits(a)) return result.apply(Op::neg, {a});
    if (node.op == Op::neg && negated(a)) return inner(a);
    if (node.op == Op::add && negated(b)) return result.apply(Op::sub, {a, inner(b)});
    if (node.op == Op::sub && negated(b)) return result.apply(Op::add, {a, inner(b)});
    return {};
  });
}
// --8<-- [end:simplify]

static Graph merge_common(const Graph &graph) {
  return rewrite(graph, [](Graph &result, const Node &node) -> std::optional<int> {
    for (int id = 0; id < result.size() && node.op != Op::input; ++id) // two inputs may differ in the next call
      if (result[id] == node && std::signbit(result[id].value) == std::signbit(node.value)) return id; // 1/0, 1/-0
    return {};
  });
}

static Graph remove_dead(const Graph &graph) {
  std::vector<bool> live(graph.nodes.size());
  for (int output : graph.outputs) live[output] = true;
  for (int id = graph.size(); id-- > 0;) // users first
    for (int input : graph[id].inputs) live[input] = live[input] || live[id];
  int id = 0;
  return rewrite(graph, [&](Graph &, const Node &node) -> std::optional<int> {
    const bool keep = live[id++] || node.op == Op::input; // inputs are the function's signature
    return keep ? std::nullopt : std::optional(-1);       // no node refers to a dead one
  });
}

const std::vector<Pass> &passes() {
  static const std::vector<Pass> all = {{"constant folding", fold_constants},
                                        {"algebraic rewrites", simplify},
                                        {"common subexpressions", merge_common},
                                        {"dead code", remove_dead}};
  return all;
}

Graph optimize(Graph graph) {
  for (int before = -1; before != graph.size();) {
    before = graph.size();
    for (const auto &[name, run] : passes()) graph = run(graph);
  }
  return graph;
}
} // namespace tiny
