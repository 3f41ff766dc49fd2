// Reads zip archives with nothing but Node's zlib: the end record, the central directory, and members
// that are stored or deflated (PKWARE's APPNOTE, without zip64 and encryption).
'use strict';
const zlib = require('zlib');
const {InputError} = require('./input_error');

const END_SIGNATURE = 0x06054b50;
const END_SIZE = 22;
const LONGEST_COMMENT = 0xffff;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_SIZE = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_SIZE = 30;

const CRC_TABLE = Uint32Array.from({length: 256}, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; ++bit) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** The end record, found backwards from the archive's end: a comment may follow it. */
function findEnd(archive) {
  const first = Math.max(0, archive.length - END_SIZE - LONGEST_COMMENT);
  for (let at = archive.length - END_SIZE; at >= first; --at)
    if (archive.readUInt32LE(at) === END_SIGNATURE) return at;
  throw new InputError('not a zip archive: it has no end record');
}

function readMember(archive, entry) {
  const {name, method, crc, packedSize, size, local} = entry;
  if (archive.readUInt32LE(local) !== LOCAL_SIGNATURE)
    throw new InputError(`${name}: the archive's directory is wrong`);
  const start =
      local + LOCAL_SIZE + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(start, start + packedSize);
  if (method !== 0 && method !== 8)
    throw new InputError(`${name}: compression method ${method} is not supported`);
  const content = method === 8 ? zlib.inflateRawSync(packed, {maxOutputLength: size || 1}) : packed;
  if (content.length !== size || crc32(content) !== crc)
    throw new InputError(`${name} is damaged: its checksum is wrong`);
  return content;
}

/** All members of a zip archive: a Map from names to Buffers. */
function readZip(archive) {
  try {
    const end = findEnd(archive);
    const count = archive.readUInt16LE(end + 10);
    const members = new Map();
    for (let i = 0, at = archive.readUInt32LE(end + 16); i < count; ++i) {
      if (archive.readUInt32LE(at) !== ENTRY_SIGNATURE)
        throw new InputError("the archive's directory is damaged");
      const nameLength = archive.readUInt16LE(at + 28);
      const name = archive.toString('utf8', at + ENTRY_SIZE, at + ENTRY_SIZE + nameLength);
      members.set(name, readMember(archive, {
        name,
        method: archive.readUInt16LE(at + 10),
        crc: archive.readUInt32LE(at + 16),
        packedSize: archive.readUInt32LE(at + 20),
        size: archive.readUInt32LE(at + 24),
        local: archive.readUInt32LE(at + 42),
      }));
      at += ENTRY_SIZE + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    }
    return members;
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`not an intact zip archive (${error.message})`);
  }
}

module.exports = {readZip};
