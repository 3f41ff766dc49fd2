// The desk at the other end of a WebSocket.
import { RequestError, type Desk, type Requests, type Topics } from "./desk";

const kSilence = 2000;    // ms without a message after which the server is taken to be gone
const kHeartbeat = 800;   // ms of silence after which it is asked for a sign of life
const kRetry = 500;       // ms between attempts to connect

interface Waiting { resolve: (reply: any) => void; reject: (error: Error) => void; text: string }

/** What goes on at the server for this page, and is asked for again after a break. */
const standingName = (name: string, request: any): string | null =>
  name === "analyse" || name === "review" ? name : name === "watch" ? `watch ${request.path}` : null;

export class Socket implements Desk {
  private socket: WebSocket | null = null;
  private connected = false;
  private heard = 0;
  private last = 0;
  private readonly waiting = new Map<number, Waiting>();
  private readonly seen = new Map<string, Set<(report: any) => void>>();
  private readonly versions = new Map<string, number>();
  private readonly standing = new Map<string, { name: keyof Requests; request: any }>();

  constructor() {
    void this.open();
    setInterval(() => this.listen(), 250);
  }

  ask<Name extends keyof Requests>(name: Name, request: Requests[Name][0]): Promise<Requests[Name][1]> {
    this.remember(name, request);
    return new Promise((resolve, reject) => {
      const id = ++this.last;
      const text = JSON.stringify({ id, do: name, ...request });
      this.waiting.set(id, { resolve, reject, text });
      if (this.connected) this.socket!.send(text);
    });
  }

  on<Name extends keyof Topics>(topic: Name, seen: (report: Topics[Name]) => void): () => void {
    const all = this.seen.get(topic) ?? new Set();
    this.seen.set(topic, all.add(seen));
    if (topic === "status") seen({ connected: this.connected } as Topics[Name]);
    return () => void all.delete(seen);
  }

  private remember(name: keyof Requests, request: any): void {
    const standing = standingName(name, request);
    if (standing) this.standing.set(standing, { name, request });
    else if (name === "stop") this.standing.delete(request.what);
    else if (name === "unwatch") this.standing.delete(`watch ${request.path}`);
  }

  /** Exchanges the token of the fragment for a cookie; it does not stay in the URL, nor in the history. */
  private async session(): Promise<void> {
    const found = /(?:^#|&)token=([^&]*)&?/.exec(location.hash);
    if (!found) return;
    await fetch("/session", { method: "POST", body: found[1], headers: { "Content-Type": "text/plain" } });
    history.replaceState(null, "", location.pathname + location.hash.replace(found[0], found[0].startsWith("#") ? "#" : "&"));
  }

  private async open(): Promise<void> {
    try {
      await this.session();
    } catch {
      setTimeout(() => void this.open(), kRetry);
      return;
    }
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
    this.socket = socket;
    socket.onopen = () => this.opened(socket);
    socket.onmessage = (event) => { this.heard = performance.now(); this.receive(JSON.parse(event.data)); };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.lost();
      setTimeout(() => void this.open(), kRetry);
    };
  }

  private opened(socket: WebSocket): void {
    this.connected = true;
    this.heard = performance.now();
    this.versions.clear();
    this.publish("status", { connected: true });
    for (const { text } of this.waiting.values()) socket.send(text);
    for (const { name, request } of [...this.standing.values()])
      if (![...this.waiting.values()].some((one) => one.text.includes(`"do":"${name}"`)))
        void this.ask(name, request).catch(() => {});
  }

  private lost(): void {
    this.socket = null;
    if (!this.connected) return;
    this.connected = false;
    this.publish("status", { connected: false });
  }

  /** A server that has stopped without a word. */
  private listen(): void {
    if (!this.connected || document.hidden) return;
    const silence = performance.now() - this.heard;
    if (silence > kSilence) {
      const socket = this.socket!;
      this.lost();
      socket.onclose = null;
      socket.close();
      setTimeout(() => void this.open(), kRetry);
    } else if (silence > kHeartbeat && this.waiting.size === 0) void this.ask("status", {}).catch(() => {});
  }

  private receive(message: any): void {
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

  private publish(topic: string, report: unknown): void {
    for (const seen of [...(this.seen.get(topic) ?? [])]) seen(report);
  }
}
