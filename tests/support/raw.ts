import { connect } from "node:net";
import { HUNG_MS } from "./hung.ts";

/** The answer to bytes that no ordinary client would send. */
export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Parses an answer as it came over the wire. */
export const parsed = (answer: string): RawReply => {
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { status: Number(first.split(" ")[1]), headers, text: rest.join("\r\n\r\n") };
};

/** Sends these pieces one after the other, and reads until the service closes the connection. */
export const rawExchange = (url: string, ...pieces: readonly (string | Uint8Array)[]): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const received: Buffer[] = [];
    socket.setTimeout(HUNG_MS, () => socket.destroy(new Error("the service did not close the connection in time")));
    socket.on("data", (bytes) => received.push(bytes));
    socket.on("error", reject);
    socket.on("close", () => resolve(parsed(Buffer.concat(received).toString())));
    socket.on("connect", () => {
      for (const piece of pieces) socket.write(piece);
    });
  });

/** A request line and headers that close the connection after the answer. */
export const rawHead = (line: string, ...headers: readonly string[]): string =>
  `${[`${line} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers].join("\r\n")}\r\n\r\n`;
