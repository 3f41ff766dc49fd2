// The desk at the other end of a WebSocket.
import { MessageDesk } from "./message_desk";

const kSilence = 2000;    // ms without a message after which the server is taken to be gone
const kHeartbeat = 800;   // ms of silence after which it is asked for a sign of life
const kRetry = 500;       // ms between attempts to connect

export class Socket extends MessageDesk {
  /** The server is there, but does not let this browser in. */
  refused = false;
  private socket: WebSocket | null = null;
  private heard = 0;

  constructor() {
    super();
    this.longest = 2 ** 20;
    void this.open();
    setInterval(() => this.listen(), 250);
  }

  protected post(text: string): void {
    if (this.connected) this.socket!.send(text);
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
      if (!this.connected) void this.findReason();
      this.lost();
      setTimeout(() => void this.open(), kRetry);
    };
  }

  private async findReason(): Promise<void> {
    const status = await fetch("/session").then((reply) => reply.status, () => 0);
    if (this.refused === (status === 403)) return;
    this.refused = status === 403;
    this.publish("status", { connected: this.connected });
  }

  private opened(socket: WebSocket): void {
    this.refused = false;
    this.heard = performance.now();
    this.connect(true);
    for (const { text } of this.waiting.values()) socket.send(text);
    this.repeat();
  }

  private lost(): void {
    this.socket = null;
    if (this.connected) this.connect(false);
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
}
