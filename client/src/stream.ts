import { Call } from "./call.ts";
import { ConnectionLost } from "./errors.ts";
import { eventsIn, type ServerEvent } from "./events.ts";
import type { CopyChange, Step } from "./follow.ts";
import type { StreamChangesOptions } from "./made/records.ts";
import type { CallOptions } from "./options.ts";
import { waitAfter } from "./retries.ts";
import { pause } from "./waiting.ts";

/** A step of a stream, with the cursor that is to be kept once it is done. */
export type StreamStep =
  | Step
  /** With `after: "now"`: what changes from here on follows. */
  | { readonly op: "begin"; readonly cursor: string }
  /** Nothing has changed for long: this cursor is younger than the one before. */
  | { readonly op: "idle"; readonly cursor: string };

/** Opens the stream behind a cursor. */
export type OpenStream = (query: StreamChangesOptions, options: CallOptions) => Call<Response>;

/** The service is never silent for longer than 15 seconds. */
const SILENCE = 45_000;

const stepOf = ({ id, event, data }: ServerEvent, before: string | null): StreamStep => {
  const cursor = id ?? before;
  if (event === "reset" || cursor === null) return { op: "reset", cursor: null };
  if (event === "begin") return { op: "begin", cursor };
  return data === "" ? { op: "idle", cursor } : { ...(JSON.parse(data) as CopyChange), cursor };
};

/**
 * An open stream. As a promise it is the answer of the API; as an iterator its steps, for ever: it is opened anew behind
 * the last step when the connection breaks or falls silent.
 */
export class ChangeStream extends Call<Response> implements AsyncIterable<StreamStep> {
  readonly #open: OpenStream;
  readonly #query: StreamChangesOptions;
  readonly #options: CallOptions;

  constructor(open: OpenStream, query: StreamChangesOptions, options: CallOptions = {}) {
    super(open(query, options).asResponse(), async (response) => response);
    this.#open = open;
    this.#query = query;
    this.#options = options;
  }

  /** The steps, each when the service tells it. */
  async *[Symbol.asyncIterator](): AsyncGenerator<StreamStep, void> {
    const { signal } = this.#options;
    const { after: begin, ...query } = this.#query;
    let after = begin;
    for (let attempt = 1, response = await this.asResponse(); ; attempt++) {
      try {
        for await (const event of eventsIn(response, SILENCE)) {
          const step = stepOf(event, after ?? null);
          attempt = 0;
          after = step.cursor ?? undefined;
          yield step;
        }
      } catch {
        signal?.throwIfAborted();
      }
      signal?.throwIfAborted();
      await pause(waitAfter(new ConnectionLost("The stream ended"), Math.max(1, attempt)) ?? 0, signal);
      response = await this.#open(after === undefined ? query : { ...query, after }, {
        ...this.#options,
        timeout: Number.POSITIVE_INFINITY,
        tries: Number.POSITIVE_INFINITY,
      });
    }
  }
}
