// The worker of the static page: gives requests to the program, and lets it search in slices between them.

/** The script that loads the program, which the export puts before this one. */
declare const faultlineModule: (options: { wasmBinary: ArrayBuffer }) => Promise<Program>;
interface Program {
  FS: { mkdir(path: string): void; writeFile(path: string, content: Uint8Array | string): void };
  UTF8ToString(at: number): string;
  stringToUTF8(text: string, at: number, bytes: number): void;
  lengthBytesUTF8(text: string): number;
  _malloc(bytes: number): number;
  _free(at: number): void;
  _faultline_ask(request: number): number;
  _faultline_advance(ms: number): number;
  _faultline_busy(): number;
}
/** The first message to the worker; all others are requests. */
export interface Load { wasm: ArrayBuffer; nets: { name: string; bytes: ArrayBuffer }[]; games: { name: string; text: string }[] }

const kSlice = 40;  // milliseconds of search between two looks at what has come

const scope = self as unknown as { postMessage(message: unknown): void; onmessage: ((event: MessageEvent) => void) | null };
const turns = new MessageChannel();
let program: Program | null = null;
let searching = false;
const early: string[] = [];

function post(messages: string): void {
  if (messages !== "[]") scope.postMessage(messages);
}

function ask(program: Program, request: string): void {
  const bytes = program.lengthBytesUTF8(request) + 1;
  const at = program._malloc(bytes);
  program.stringToUTF8(request, at, bytes);
  post(program.UTF8ToString(program._faultline_ask(at)));
  program._free(at);
  next(program);
}

/** Another slice after the requests that have come, which setTimeout would delay by milliseconds. */
function next(program: Program): void {
  if (searching || program._faultline_busy() === 0) return;
  searching = true;
  turns.port2.postMessage(null);
}
turns.port1.onmessage = () => {
  searching = false;
  post(program!.UTF8ToString(program!._faultline_advance(kSlice)));
  next(program!);
};

async function load({ wasm, nets, games }: Load): Promise<void> {
  const made = await faultlineModule({ wasmBinary: wasm });
  made.FS.mkdir("/nets");
  for (const net of nets) made.FS.writeFile(`/nets/${net.name}`, new Uint8Array(net.bytes));
  for (const { name, text } of games) made.FS.writeFile(`/games/${name}`, text);
  program = made;
  for (const request of early.splice(0)) ask(program, request);
}

scope.onmessage = ({ data }) => {
  if (typeof data !== "string") void load(data as Load).catch((error) => setTimeout(() => { throw error; }));
  else if (program) ask(program, data);
  else early.push(data);
};
