// Runs ONNX files with ONNX Runtime for onnx_outsiders_test.cpp.
//
//   node run_onnx.js NODE_MODULES MANIFEST
//
// The manifest lists cases {model, planes, planes_shape, slots, slots_shape, policy, outputs}: raw
// little-endian inputs, and where to write the raw fp32 outputs, one after the other.
'use strict';
const fs = require('fs');
const path = require('path');
const [modules, manifest] = process.argv.slice(2);
const ort = require(path.join(modules, 'onnxruntime-node'));

function bytesOf(file) {
  const bytes = fs.readFileSync(file);  // copied, so that it is aligned
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

async function main() {
  let model = '';
  let session = null;
  for (const one of JSON.parse(fs.readFileSync(manifest))) {
    if (one.model !== model) {
      model = one.model;
      session = await ort.InferenceSession.create(model, {intraOpNumThreads: 1});
    }
    const feeds = {
      planes: new ort.Tensor('float32', new Float32Array(bytesOf(one.planes)), one.planes_shape),
    };
    if (one.policy === 'policy')
      feeds.move_slots =
          new ort.Tensor('int64', new BigInt64Array(bytesOf(one.slots)), one.slots_shape);
    const results = await session.run(feeds);
    const parts = [one.policy, 'wdl', 'moves_left'].map((name) => {
      const {data} = results[name];
      return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    });
    fs.writeFileSync(one.outputs, Buffer.concat(parts));
  }
}

main().catch((error) => {
  console.error(error.stack || String(error));
  process.exit(1);
});
