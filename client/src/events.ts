/** A Server-Sent Event. */
export interface ServerEvent {
  /** The place of a reader who has it; `null` if it does not say. */
  readonly id: string | null;
  readonly event: string;
  /** Empty if the event only tells its id. */
  readonly data: string;
}

const eventOf = (block: string): ServerEvent | null => {
  let id: string | null = null;
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, name, value = ""] = /^(\w+):? ?(.*)$/s.exec(line) ?? [];
    if (name === "id") id = value;
    else if (name === "event") event = value;
    else if (name === "data") data.push(value);
  }
  return id === null && data.length === 0 ? null : { id, event, data: data.join("\n") };
};

/**
 * The events of an answer, until its connection ends, or until it says nothing for `silence` milliseconds: the service
 * sends a comment every 15 seconds, so that it is gone then. Who stops reading closes the connection.
 */
export async function* eventsIn(response: Response, silence: number): AsyncGenerator<ServerEvent, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  const close = (): void => void reader.cancel().catch(() => {});
  let text = "";
  try {
    for (;;) {
      const timer = setTimeout(close, silence);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    close();
  }
}
