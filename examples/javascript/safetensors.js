// Reads safetensors files whose tensors hold whole numbers.
'use strict';

const TYPES = {I16: [2, 'readInt16LE'], I32: [4, 'readInt32LE']};

/** {metadata, tensors}: texts and arrays of numbers, flat, by their names. Throws Error. */
function readSafetensors(bytes) {
  if (bytes.length < 8) throw new Error('it is too short to be a safetensors file');
  const begin = 8 + Number(bytes.readBigUInt64LE(0));
  if (!(begin <= bytes.length)) throw new Error('it is no safetensors file, or cut off');
  const header = JSON.parse(bytes.subarray(8, begin).toString());
  const tensors = {};
  for (const [name, {dtype, data_offsets: offsets}] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    if (!Object.hasOwn(TYPES, dtype)) throw new Error(`tensor '${name}' is of the type ${dtype}`);
    const [size, read] = TYPES[dtype];
    const [first, end] = offsets.map((offset) => begin + offset);
    if (!(first <= end && end <= bytes.length)) throw new Error(`tensor '${name}' is cut off`);
    tensors[name] =
        Array.from({length: (end - first) / size}, (_, i) => bytes[read](first + i * size));
  }
  return {metadata: header.__metadata__ || {}, tensors};
}

module.exports = {readSafetensors};
