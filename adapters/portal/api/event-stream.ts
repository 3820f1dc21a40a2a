import { type Query, readStream } from "./client.ts";

/** An event of a stream. */
export interface StreamEvent {
  /** Where a reader goes on who has it; `null` if it says nothing of that. */
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

const fieldOf = (lines: readonly string[], name: string): string | null => {
  const line = lines.find((one) => one.startsWith(`${name}: `));
  return line === undefined ? null : line.slice(name.length + 2);
};

/** The event in a block of lines; `null` for a comment. */
const eventIn = (block: string): StreamEvent | null => {
  const lines = block.split("\n");
  const id = fieldOf(lines, "id");
  const data = fieldOf(lines, "data");
  return id === null && data === null ? null : { id, event: fieldOf(lines, "event") ?? "message", data: data ?? "" };
};

/** Reads the events of a stream until it ends or the signal aborts it. Throws if the service refuses it. */
export async function* readEvents(
  path: string,
  query: Query,
  {
    onOpen,
    ...parts
  }: {
    readonly lastEventId: string | null;
    readonly signal: AbortSignal;
    /** Called when the service has opened it. */
    readonly onOpen: () => void;
  },
): AsyncGenerator<StreamEvent, void> {
  const reader = (await readStream(path, query, parts)).getReader();
  onOpen();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = eventIn(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
