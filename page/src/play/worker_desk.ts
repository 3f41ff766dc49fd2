// The desk in a worker of the page: messages are those of the lab's socket.
import { MessageDesk } from "../lab/message_desk";
import { bytesOf, lacking, type Inside } from "./inside";
import type { Load } from "./worker";

const kMostRestarts = 3;  // within kSoon: then something is wrong that starting again does not mend
const kSoon = 10_000;

export class WorkerDesk extends MessageDesk {
  private worker: Worker | null = null;
  private load: Load | null = null;
  private restarts: number[] = [];
  private failure = "";

  /** `said` gets sentences for the user. */
  constructor(inside: Inside, private readonly said: (text: string) => void) {
    super();
    void this.begin(inside);
  }

  protected post(text: string): void {
    if (this.worker) this.worker.postMessage(text);
    else if (this.failure) this.refuseAll(this.failure);
  }

  private async begin({ wasm, nets, games }: Inside): Promise<void> {
    try {
      if (lacking()) throw new Error(lacking());
      this.load = { games, wasm: await bytesOf(wasm),
                    nets: await Promise.all(nets.map(async (net) => ({ name: net.name, bytes: await bytesOf(net) }))) };
      this.start();
    } catch (error) {
      this.fail((error as Error).message);
    }
  }

  private start(): void {
    const script = document.getElementById("worker")!.textContent!;
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    worker.onmessage = ({ data }) => { for (const message of JSON.parse(data as string)) this.receive(message); };
    worker.onerror = (event) => { event.preventDefault(); this.died(event.message); };
    worker.postMessage(this.load);
    this.worker = worker;
    this.connect(true);
    for (const { text } of this.waiting.values()) worker.postMessage(text);
  }

  /** What was asked fails; what goes on is asked for again. */
  private died(why: string): void {
    this.worker?.terminate();
    this.worker = null;
    this.connect(false);
    this.refuseAll(`the engine has stopped: ${why}`);
    this.restarts = [...this.restarts.filter((time) => performance.now() - time < kSoon), performance.now()];
    if (this.restarts.length > kMostRestarts) { this.fail(`the engine stops again and again: ${why}`); return; }
    this.said(`The engine has stopped (${why}) and was started again; the board is as it was.`);
    this.start();
    this.repeat();
  }

  private fail(why: string): void {
    this.failure = why;
    this.refuseAll(why);
    this.said(why);
  }

  protected receive(message: any): void {
    if (message.t === "fatal") this.fail(message.report);
    else super.receive(message);
  }
}
