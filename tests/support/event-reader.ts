/** An event as a client receives it. */
export interface ReceivedEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

const fieldOf = (block: string, name: string): string | null => {
  const line = block.split("\n").find((one) => one.startsWith(`${name}:`));
  return line === undefined ? null : line.slice(name.length + 1).trimStart();
};

/** An open stream of Server-Sent Events, read one event at a time. */
export class EventReader {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private readonly decoder = new TextDecoder();
  private text = "";

  private constructor(
    readonly response: Response,
    private readonly gone: AbortController,
  ) {
    if (response.body === null) throw new Error("the answer has no body");
    this.reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  }

  /** Opens a stream. Fails if it is refused. */
  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<EventReader> {
    const gone = new AbortController();
    const response = await fetch(url, { headers: { accept: "text/event-stream", ...headers }, signal: gone.signal });
    if (response.status !== 200) throw new Error(`${url} answered ${response.status} ${await response.text()}`);
    return new EventReader(response, gone);
  }

  /** The next event; `null` at the end of the stream. Comments are skipped. */
  async next(): Promise<ReceivedEvent | null> {
    for (;;) {
      const end = this.text.indexOf("\n\n");
      if (end === -1) {
        const { done, value } = await this.reader.read();
        if (done) return null;
        this.text += this.decoder.decode(value, { stream: true });
        continue;
      }
      const block = this.text.slice(0, end);
      this.text = this.text.slice(end + 2);
      const data = fieldOf(block, "data");
      if (data !== null) return { id: fieldOf(block, "id"), event: fieldOf(block, "event") ?? "message", data };
    }
  }

  /** Goes away. */
  close(): void {
    this.gone.abort();
  }
}
