// The desk in a worker of the page: messages are those of the lab's socket.
import { RequestError, type Desk, type Requests, type Topics } from "../lab/desk";
import { bytesOf, lacking, type Inside } from "./inside";
import type { Load } from "./worker";

interface Waiting { resolve: (reply: any) => void; reject: (error: Error) => void }

const kStandings = ["analyse", "review"];
const kMostRestarts = 3;  // within kSoon: then something is wrong that starting again does not mend
const kSoon = 10_000;

export class WorkerDesk implements Desk {
  private worker: Worker | null = null;
  private last = 0;
  private readonly waiting = new Map<number, Waiting>();
  private readonly seen = new Map<string, Set<(report: any) => void>>();
  private readonly standing = new Map<string, any>();
  private load: Load | null = null;
  private readonly unsent: string[] = [];
  private restarts: number[] = [];
  private failure = "";

  /** `said` gets sentences for the user. */
  constructor(inside: Inside, private readonly said: (text: string) => void) {
    void this.begin(inside);
  }

  ask<Name extends keyof Requests>(name: Name, request: Requests[Name][0]): Promise<Requests[Name][1]> {
    if (kStandings.includes(name)) this.standing.set(name, request);
    else if (name === "stop") this.standing.delete((request as { what: string }).what);
    return new Promise((resolve, reject) => {
      if (this.failure) { reject(new RequestError(this.failure)); return; }
      const id = ++this.last;
      this.waiting.set(id, { resolve, reject });
      this.send(JSON.stringify({ id, do: name, ...request }));
    });
  }

  on<Name extends keyof Topics>(topic: Name, seen: (report: Topics[Name]) => void): () => void {
    const all = this.seen.get(topic) ?? new Set();
    this.seen.set(topic, all.add(seen));
    if (topic === "status") seen({ connected: this.worker !== null } as Topics[Name]);
    return () => void all.delete(seen);
  }

  private async begin({ wasm, nets }: Inside): Promise<void> {
    try {
      if (lacking()) throw new Error(lacking());
      this.load = { wasm: await bytesOf(wasm),
                    nets: await Promise.all(nets.map(async (net) => ({ name: net.name, bytes: await bytesOf(net) }))) };
      this.start();
    } catch (error) {
      this.fail((error as Error).message);
    }
  }

  private send(text: string): void {
    if (this.worker) this.worker.postMessage(text);
    else this.unsent.push(text);
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
    this.publish("status", { connected: true });
    for (const text of this.unsent.splice(0)) worker.postMessage(text);
  }

  /** What was asked fails; what goes on is asked for again. */
  private died(why: string): void {
    this.worker?.terminate();
    this.worker = null;
    this.publish("status", { connected: false });
    for (const one of this.waiting.values()) one.reject(new RequestError(`the engine has stopped: ${why}`));
    this.waiting.clear();
    this.restarts = [...this.restarts.filter((time) => performance.now() - time < kSoon), performance.now()];
    if (this.restarts.length > kMostRestarts) { this.fail(`the engine stops again and again: ${why}`); return; }
    this.said(`The engine has stopped (${why}) and was started again; the board is as it was.`);
    this.start();
    for (const [name, request] of [...this.standing]) void this.ask(name as keyof Requests, request).catch(() => {});
  }

  private fail(why: string): void {
    this.failure = why;
    for (const one of this.waiting.values()) one.reject(new RequestError(why));
    this.waiting.clear();
    this.said(why);
  }

  private receive(message: any): void {
    if (message.t === "fatal") { this.fail(message.report); return; }
    if (message.t !== undefined) {
      if (message.report.done === true) this.standing.delete("analyse");
      if (message.report.plies) this.standing.delete("review");
      this.publish(message.t, message.report);
      return;
    }
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    this.waiting.delete(message.id);
    if (message.error !== undefined) waiting.reject(new RequestError(message.error, message.field ?? ""));
    else waiting.resolve(message.ok);
  }

  private publish(topic: string, report: unknown): void {
    for (const seen of [...(this.seen.get(topic) ?? [])]) seen(report);
  }
}
