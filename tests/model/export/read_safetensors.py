"""Reads a safetensors file by the published format (huggingface.co/docs/safetensors) for
safetensors_test.cpp, with Python's standard library alone: python3 read_safetensors.py FILE

Prints {name: {"shape", "sum"}} of all tensors, in JSON."""
import json
import math
import struct
import sys

with open(sys.argv[1], "rb") as file:
    content = file.read()
(length,) = struct.unpack_from("<Q", content)
header = json.loads(content[8 : 8 + length])
data = content[8 + length :]
metadata = header.pop("__metadata__", {})
if not all(isinstance(text, str) for text in metadata.values()):
    sys.exit("__metadata__ must map texts to texts")


def values(entry):
    begin, end = entry["data_offsets"]
    raw = data[begin:end]
    if entry["dtype"] == "BF16":  # the upper half of a float
        halves = struct.unpack(f"<{len(raw) // 2}H", raw)
        return struct.unpack(f"<{len(halves)}f", struct.pack(f"<{len(halves)}I", *(h << 16 for h in halves)))
    letter, size = {"F32": ("f", 4), "F16": ("e", 2)}[entry["dtype"]]
    return struct.unpack(f"<{len(raw) // size}{letter}", raw)


read = {}
at = 0
for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
    if entry["data_offsets"][0] != at:
        sys.exit(f"{name}: there is a hole or an overlap before it")
    at = entry["data_offsets"][1]
    tensor = values(entry)
    if len(tensor) != math.prod(entry["shape"]):
        sys.exit(f"{name}: {len(tensor)} values do not fit the shape {entry['shape']}")
    read[name] = {"shape": entry["shape"], "sum": math.fsum(tensor)}
if at != len(data):
    sys.exit("there are bytes behind the last tensor")
print(json.dumps(read))
