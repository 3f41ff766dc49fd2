// Times an ONNX file in ONNX Runtime on one thread, for bench_formats.cpp.
//
//   node onnx_speed.js NODE_MODULES MODEL SECONDS BATCH...
//
// Prints one line per batch size: the positions/s of the fastest evaluation in SECONDS. Planes are
// half zeroes and half ones; every position has 30 moves.
'use strict';
const path = require('path');
const [modules, model, seconds, ...batches] = process.argv.slice(2);
const {InferenceSession, Tensor} = require(path.join(modules, 'onnxruntime-node'));

const MOVES = 30;
const SLOTS = 1000;  // fewer than any network has

async function fastest(session, feeds) {
  let best = Infinity;
  const begin = process.hrtime.bigint();
  for (let calls = 0; calls < 3 || process.hrtime.bigint() - begin < 1e9 * seconds; ++calls) {
    const start = process.hrtime.bigint();
    await session.run(feeds);
    best = Math.min(best, Number(process.hrtime.bigint() - start) * 1e-9);
  }
  return best;
}

async function main() {
  const session = await InferenceSession.create(model, {intraOpNumThreads: 1});
  const [channels, height, width] =
      session.inputMetadata.find((input) => input.name === 'planes').shape.slice(1);
  for (const batch of batches.map(Number)) {
    const planes = new Float32Array(batch * channels * height * width).map((_, i) => (i / 7) & 1);
    const slots = new BigInt64Array(batch * MOVES).map((_, i) => BigInt((i * 37) % SLOTS));
    console.log(batch / await fastest(session, {
      planes: new Tensor('float32', planes, [batch, channels, height, width]),
      move_slots: new Tensor('int64', slots, [batch, MOVES]),
    }));
  }
}

main().catch((error) => {
  console.error(error.stack || String(error));
  process.exit(1);
});
