import { connect, type Socket } from "node:net";

/** A client that has read the start of an answer and reads nothing more until it is resumed. */
export interface Unread {
  readonly socket: Socket;
  readonly begin: Buffer;
  readonly closed: Promise<void>;
}

/**
 * Begins to read an answer, on its own socket: `fetch` may receive the whole body although nobody reads it. The
 * remaining buffers hold a few megabytes.
 */
export const unread = async (url: string, path: string, key: string): Promise<Unread> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const begun = new Promise<Buffer>((resolve) =>
    socket.once("data", (bytes) => {
      socket.pause();
      resolve(bytes);
    }),
  );
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n\r\n`);
  return { socket, begin: await begun, closed };
};

/** All of the answer, as it came over the wire, once the connection is closed. */
export const readOn = async ({ socket, begin, closed }: Unread): Promise<string> => {
  const received = [begin];
  socket.on("data", (bytes) => received.push(bytes));
  socket.resume();
  await closed;
  return Buffer.concat(received).toString();
};
