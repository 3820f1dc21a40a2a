import { connect } from "node:net";
import { eventually } from "./eventually.ts";
import { parsed, type RawReply } from "./raw.ts";

/** A request whose caller the service has already identified, but whose body is not yet completely sent. */
export interface HeldRequest {
  /** Sends the rest and reads the answer. */
  finish(): Promise<RawReply>;
}

/** The request to hold. */
export interface Holding {
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as sent. */
  readonly text: string;
  /** Sends another request of the same caller, and returns the headers with its limit. */
  readonly ask: () => Promise<Headers>;
}

/** The requests that the caller has left, according to one answer. */
const remainingOf = (headers: Headers): number => {
  const left = /r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1];
  if (left === undefined) throw new Error("the answer says nothing of the caller's limit");
  return Number(left);
};

/**
 * Sends a request without the last character of its body, and waits until the service has counted it. That is the case
 * once the caller's limit drops by one more than its own other requests.
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
  // Whoever awaits the answer gets its error; until then it is not unhandled.
  answer.catch(() => {});
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${text.slice(0, -1)}`);
  await eventually(
    async () => {
      const before = left;
      left = remainingOf(await ask());
      return before - left;
    },
    (taken) => taken >= 2,
  );
  if (received.length > 0) throw new Error("the service answered before the body was there");
  return {
    finish() {
      socket.write(text.slice(-1));
      return answer;
    },
  };
};
