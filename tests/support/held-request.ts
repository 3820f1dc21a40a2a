import { connect } from "node:net";
import { eventually } from "./eventually.ts";
import { parsed, type RawReply } from "./raw.ts";

/** A request whose caller the service knows by now, and the end of whose body has not been sent. */
export interface HeldRequest {
  /** Sends what is missing, and reads the answer. */
  finish(): Promise<RawReply>;
}

/** A request to be held. */
export interface Holding {
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it is sent. */
  readonly text: string;
  /** Asks for something as the same caller, and tells what its answer says of the caller's limit. */
  readonly ask: () => Promise<Headers>;
}

const ARRIVAL_MS = 20_000;

/** How many requests the caller has left, by the answer to one. */
const remainingOf = (headers: Headers): number => {
  const left = /r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1];
  if (left === undefined) throw new Error("the answer says nothing of the caller's limit");
  return Number(left);
};

/**
 * Sends a request but for the last character of its body, and waits until the service knows who sent it: then it has
 * counted it. Between two of the caller's own requests there is then one more than theirs.
 */
export const holdRequest = async ({ url, method, path, headers, text, ask }: Holding): Promise<HeldRequest> => {
  const { hostname, port, host } = new URL(url);
  const lines = Object.entries({
    host,
    connection: "close",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  let left = remainingOf(await ask());
  const socket = connect(Number(port), hostname);
  const received: Buffer[] = [];
  const answer = new Promise<RawReply>((resolve, reject) => {
    socket.on("data", (bytes) => received.push(bytes));
    socket.on("error", reject);
    socket.on("close", () => resolve(parsed(Buffer.concat(received).toString())));
  });
  // Whoever waits for it hears of an error; that nobody waits yet is no fault.
  answer.catch(() => {});
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${text.slice(0, -1)}`);
  await eventually(
    async () => {
      const before = left;
      left = remainingOf(await ask());
      return before - left;
    },
    (taken) => taken >= 2,
    ARRIVAL_MS,
  );
  if (received.length > 0) throw new Error("the service answered before the body was there");
  return {
    finish() {
      socket.write(text.slice(-1));
      return answer;
    },
  };
};
