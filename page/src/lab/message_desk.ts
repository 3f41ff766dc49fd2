// What is the same of all desks that answer by messages: requests wait for their replies, reports go to who asked for them,
// and what goes on at the other end is asked for again after a break.
import { RequestError, type Desk, type Requests, type Topics } from "./desk";

interface Waiting { resolve: (reply: any) => void; reject: (error: Error) => void; text: string }

/** Answered one after the other: elsewhere the order of requests has no meaning. */
const kOrdered = new Set<string>(["analyse", "review", "stop"]);

const standingName = (name: string, request: any): string | null =>
  name === "analyse" || name === "review" ? name : name === "watch" ? `watch ${request.path}` : null;

export abstract class MessageDesk implements Desk {
  protected connected = false;
  /** Bytes of the longest message that is read at the other end. */
  protected longest = Infinity;
  protected readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private ordered: Promise<unknown> = Promise.resolve();
  private readonly seen = new Map<string, Set<(report: any) => void>>();
  private readonly versions = new Map<string, number>();
  private readonly standing = new Map<string, { name: keyof Requests; request: any }>();

  /** Sends a request, or keeps it until there is a connection. */
  protected abstract post(text: string): void;

  ask<Name extends keyof Requests>(name: Name, request: Requests[Name][0]): Promise<Requests[Name][1]> {
    this.remember(name, request);
    if (!kOrdered.has(name)) return this.send(name, request);
    const answer = this.ordered.then(() => this.send(name, request));
    this.ordered = answer.catch(() => {});
    return answer;
  }

  on<Name extends keyof Topics>(topic: Name, seen: (report: Topics[Name]) => void): () => void {
    const all = this.seen.get(topic) ?? new Set();
    this.seen.set(topic, all.add(seen));
    if (topic === "status") seen({ connected: this.connected } as Topics[Name]);
    return () => void all.delete(seen);
  }

  private send<Name extends keyof Requests>(name: Name, request: Requests[Name][0]): Promise<Requests[Name][1]> {
    return new Promise((resolve, reject) => {
      const id = ++this.last;
      const text = JSON.stringify({ id, do: name, ...request });
      const bytes = text.length > this.longest / 3 ? new Blob([text]).size : 0;
      if (bytes > this.longest)
        return reject(new RequestError(`it has ${(bytes / 2 ** 20).toFixed(1)} MiB of at most ${this.longest / 2 ** 20}; files in the lab's folder may be larger`));
      this.waiting.set(id, { resolve, reject, text });
      this.post(text);
    });
  }

  private remember(name: keyof Requests, request: any): void {
    const standing = standingName(name, request);
    if (standing) this.standing.set(standing, { name, request });
    else if (name === "stop") this.standing.delete(request.what);
    else if (name === "unwatch") this.standing.delete(`watch ${request.path}`);
  }

  protected connect(connected: boolean): void {
    this.connected = connected;
    if (connected) this.versions.clear();
    this.publish("status", { connected });
  }

  /** Asks again for what went on, unless that is waiting to be sent. */
  protected repeat(): void {
    for (const { name, request } of [...this.standing.values()])
      if (![...this.waiting.values()].some((one) => one.text.includes(`"do":"${name}"`)))
        void this.ask(name, request).catch(() => {});
  }

  protected refuseAll(why: string): void {
    for (const one of this.waiting.values()) one.reject(new RequestError(why));
    this.waiting.clear();
  }

  protected receive(message: any): void {
    if (message.t !== undefined) {
      if (message.v <= (this.versions.get(message.t) ?? -1)) return;
      this.versions.set(message.t, message.v);
      this.follow(message.t, message.report);
      this.publish(message.t, message.report);
      return;
    }
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    this.waiting.delete(message.id);
    if (message.error !== undefined) waiting.reject(new RequestError(message.error, message.field ?? ""));
    else waiting.resolve(message.ok);
  }

  /** What the reports mean for what would be asked for again. */
  private follow(topic: string, report: any): void {
    if (report.done === true) this.standing.delete(topic === "analysis" ? "analyse" : "");
    if (topic === "review" && report.plies) this.standing.delete("review");
    const watch = this.standing.get(`watch ${topic.slice(4)}`);
    if (watch && report.rows) watch.request = { ...watch.request, have: report.from + report.rows.length };
  }

  protected publish(topic: string, report: unknown): void {
    for (const seen of [...(this.seen.get(topic) ?? [])]) seen(report);
  }
}
