"""Checks ONNX files with the onnx package for onnx_outsiders_test.cpp: python3 check_onnx.py FILE..."""
import sys

import onnx


def shape(value):
    return [d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim]


for name in sys.argv[1:]:
    model = onnx.load(name)
    onnx.checker.check_model(model, full_check=True)
    declared = {o.name: shape(o) for o in model.graph.output}
#What follows from the graph alone must be what it declares.
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    inferred = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    for output in inferred.graph.output:
        if shape(output) != declared[output.name]:
            sys.exit(f"{name}: {output.name} is declared as {declared[output.name]}, inferred as {shape(output)}")
    known = {v.name for v in inferred.graph.value_info} | set(declared)
    for node in inferred.graph.node:
        for output in node.output:
            if output not in known:
                sys.exit(f"{name}: the shape of {output} could not be inferred")
    for value in inferred.graph.value_info:
        if any(d.WhichOneof("value") is None for d in value.type.tensor_type.shape.dim):
            sys.exit(f"{name}: {value.name} has a dimension without name or size")
    for opset in model.opset_import:
        print(name, "opset", opset.version, "ir", model.ir_version)
