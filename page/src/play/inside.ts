// What `faultline export --format page` puts into the page, or beside it.

/** A file beside the page, or in it as base64. */
export interface Part { name: string; url?: string; base64?: string }

/** `open`: the fragment of the URL that the page begins with. `size`: of the program and the networks, in bytes. */
export interface Inside { title: string; open: string; wasm: Part; nets: Part[]; games: { name: string; text: string }[] }

export const inside = (): Inside => JSON.parse(document.getElementById("inside")!.textContent!) as Inside;

function decoded(base64: string): ArrayBuffer {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

export async function bytesOf(part: Part): Promise<ArrayBuffer> {
  if (part.base64 !== undefined) return decoded(part.base64);
  if (location.protocol === "file:")
    throw new Error("From a disk, browsers do not load the files beside a page: serve the folder, or export with --single-file");
  const reply = await fetch(part.url!);
  if (!reply.ok) throw new Error(`${part.url} cannot be loaded: ${reply.status} ${reply.statusText}`);
  return reply.arrayBuffer();
}

// The smallest modules with a vector and with a handler of exceptions.
const kVectors = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
const kExceptions = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11];

/** What the browser lacks; "" if it can run the program. */
export function lacking(): string {
  const runs = (bytes: number[]) => WebAssembly.validate(new Uint8Array(bytes));
  if (typeof WebAssembly === "object" && runs(kVectors) && runs(kExceptions)) return "";
  return "This page needs WebAssembly with SIMD and exceptions: Chrome 95, Firefox 100, Safari 16.4 or newer.";
}
