// Runs ONNX files with ONNX Runtime for onnx_outsiders_test.cpp.
//
//   node run_onnx.js NODE_MODULES MANIFEST
//
// The manifest has `inputs` and `outputs`, files of raw little-endian values, and `cases` {model, policy,
// planes, planes_shape, slots, slots_shape}, where `planes` and `slots` are places in bytes in the inputs.
// The outputs are those of all cases, one after the other: the policy [batch, moves], wdl, moves_left.
// Of a full policy, these are the logits of the slots.
'use strict';
const fs = require('fs');
const path = require('path');
const [modules, manifest] = process.argv.slice(2);
const ort = require(path.join(modules, 'onnxruntime-node'));

const product = (shape) => shape.reduce((a, b) => a * b, 1);

function logitsOf(slots, logits, batch) {
  const moves = slots.length / batch, row = logits.length / batch;
  return Float32Array.from(
      slots, (slot, i) => slot < 0n ? 0 : logits[Math.floor(i / moves) * row + Number(slot)]);
}

async function main() {
  const {inputs, outputs, cases} = JSON.parse(fs.readFileSync(manifest));
  const bytes = fs.readFileSync(inputs);
  const values = (Type, at, shape) => {
    const start = bytes.byteOffset + at;  // copied, so that they are aligned
    return new Type(
        bytes.buffer.slice(start, start + product(shape) * Type.BYTES_PER_ELEMENT));
  };
  const parts = [];
  let model = '';
  let session = null;
  for (const one of cases) {
    if (one.model !== model) {
      model = one.model;
      session = await ort.InferenceSession.create(model, {intraOpNumThreads: 1});
    }
    const slots = values(BigInt64Array, one.slots, one.slots_shape);
    const planes = values(Float32Array, one.planes, one.planes_shape);
    const feeds = {planes: new ort.Tensor('float32', planes, one.planes_shape)};
    const isLegal = one.policy === 'policy';
    if (isLegal) feeds.move_slots = new ort.Tensor('int64', slots, one.slots_shape);
    const results = await session.run(feeds);
    const policy = results[one.policy].data;
    parts.push(isLegal ? policy : logitsOf(slots, policy, one.slots_shape[0]));
    parts.push(results.wdl.data, results.moves_left.data);
  }
  fs.writeFileSync(outputs, Buffer.concat(parts.map(
      ({buffer, byteOffset, byteLength}) => Buffer.from(buffer, byteOffset, byteLength))));
}

main().catch((error) => {
  console.error(error.stack || String(error));
  process.exit(1);
});
