#include "tiny.h"

namespace tiny {
std::string replace(std::string code, const std::string &from, const std::string &to) {
  for (size_t k = 0; (k = code.find(from, k)) != std::string::npos; k += to.size()) code.replace(k, from.size(), to);
  return code;
}

#define X(name, arity, expression) {#name, arity, #expression},
static const std::vector<OpInfo> ops = {
    {"input", 0, nullptr}, {"constant", 0, nullptr}, {"sum", 1, nullptr}, POINTWISE_OPS(X)};
#undef X

const OpInfo &info(Op op) { return ops[size_t(op)]; }

Op op_named(const std::string &name) {
  for (size_t k = size_t(Op::neg); k < ops.size(); ++k)
    if (ops[k].name == name) return Op(k);
  throw Error("unknown op '" + name + "'; POINTWISE_OPS in tiny.h lists all");
}

int Graph::apply(Op op, const std::vector<int> &inputs) {
  const auto &[name, arity, expression] = info(op);
  if (!expression || inputs.size() != arity)
    throw Error(std::string(name) + " can't be applied to " + std::to_string(inputs.size()) + " values");
  const Node &a = nodes[inputs.front()], &b = nodes[inputs.back()];
  if (a.dtype != b.dtype)
    throw Error(std::string(name) + ": dtypes " + to_string(a.dtype) + " and " + to_string(b.dtype) + " differ");
  return add({op, inputs, broadcast(a.shape, b.shape, name), a.dtype, 0, {}});
}

Value apply(Op op, const Values &inputs) {
  std::vector<int> ids;
  for (const Value &input : inputs) {
    if (input.graph != inputs[0].graph) throw Error("two values are of different traces");
    ids.push_back(input.id);
  }
  return {inputs.at(0).graph, inputs[0].graph->apply(op, ids)};
}

// --8<-- [start:trace]
Graph trace(const Function &function, const std::vector<Tensor> &examples) {
  Graph graph;
  Values inputs;
  for (const Tensor &x : examples)
    inputs.push_back({&graph, graph.add({Op::input, {}, x.shape, x.dtype, 0, x.strides})});
  for (const Value &output : function(inputs)) {
    if (output.graph != &graph) throw Error("an output is of another trace");
    graph.outputs.push_back(output.id);
  }
  return graph;
}
// --8<-- [end:trace]

Value expand(Value a, const Shape &shape) { // broadcasting does it, and multiplying by 1 is exact
  return a.shape() == shape ? a : a * Value{a.graph, a.graph->constant(1, a.node().dtype, shape)};
}

Value sum_to(Value a, const Shape &shape) {
  if (a.shape() == shape) return a;
  if (broadcast(a.shape(), shape, "sum") != a.shape())
    throw Error("sum: " + to_string(a.shape()) + " has no sum of shape " + to_string(shape));
  return {a.graph, a.graph->add({Op::sum, {a.id}, shape, a.node().dtype, 0, {}})};
}

Value mean(Value a, const Shape &shape) { return sum_to(a, shape) / (double(numel(a.shape())) / double(numel(shape))); }

std::string to_string(const Graph &graph) {
  std::string text, outputs;
  for (int id = 0; id < graph.size(); ++id) {
    const Node &node = graph[id];
    std::string arguments = node.op == Op::constant ? std::to_string(node.value) : "";
    for (int input : node.inputs) arguments += fill(arguments.empty() ? "%@" : ", %@", input);
    std::string line = fill("%@ = ", id) + info(node.op).name + "(" + arguments + ")";
    line.resize(std::max(line.size() + 1, size_t(26)), ' ');
    text += line + to_string(node.dtype) + to_string(node.shape) + "\n";
  }
  for (int output : graph.outputs) outputs += fill(" %@", output);
  return text + "return" + outputs + "\n";
}

// --8<-- [start:reverse]
// The gradients of a node's inputs, given the node's own gradient g.
static Values backward(const Node &node, Value out, Value g) {
  const auto in = [&](int k) { return Value{out.graph, node.inputs[k]}; };
  switch (node.op) {
  case Op::neg: return {-g};
  case Op::exp: return {g * out};
  case Op::log: return {g / in(0)};
  case Op::sin: return {g * cos(in(0))};
  case Op::cos: return {-(g * sin(in(0)))};
  case Op::tanh: return {g * (1 - out * out)};
  case Op::sqrt: return {g / (2 * out)};
  case Op::relu: return {g * step(in(0))};
  case Op::add: return {g, g};
  case Op::sub: return {g, -g};
  case Op::mul: return {g * in(1), g * in(0)};
  case Op::div: return {g / in(1), -(g * out / in(1))};
  case Op::sum: return {expand(g, in(0).shape())};
  default: return {}; // inputs, constants, and step, which is flat
  }
}

Graph gradients(const Graph &forward) {
  Graph joint = forward;
  if (joint.outputs.size() != 1 || !joint[joint.outputs[0]].shape.empty())
    throw Error("gradients need exactly one output, of shape []");
  const int root = joint.outputs[0];
  std::vector<int> gradient(forward.nodes.size(), -1); // the id of each node's gradient so far
  gradient[root] = joint.constant(1, joint[root].dtype);
  for (int id = root; id >= 0; --id) { // every user of a node before the node itself
    if (gradient[id] < 0) continue;
    const Node node = joint[id]; // a copy, because the graph grows
    const Values parts = backward(node, {&joint, id}, {&joint, gradient[id]});
    for (size_t k = 0; k < parts.size(); ++k) {
      const int input = node.inputs[k];
      Value total = sum_to(parts[k], joint[input].shape); // undoes a broadcast
      if (gradient[input] >= 0) total = Value{&joint, gradient[input]} + total;
      gradient[input] = total.id;
    }
  }
  for (int id = 0; id < forward.size(); ++id) {
    if (forward[id].op != Op::input) continue;
    const auto &[op, inputs, shape, dtype, value, strides] = forward[id];
    joint.outputs.push_back(gradient[id] < 0 ? joint.constant(0, dtype, shape) : gradient[id]);
  }
  return joint;
}
// --8<-- [end:reverse]
} // namespace tiny
