import type { Socket, TCPSocketListener } from "bun";
import { freePort } from "./ports.ts";

/** What a network does with traffic: carry it, swallow it, or break and refuse connections. */
type NetworkState = "fair" | "silent" | "broken";

/** A stretch of network between the service and something it depends on. */
export interface Relay {
  /** The address of the server behind it, through the relay. */
  readonly url: string;
  become(weather: NetworkState): void;
}

interface Ends {
  other: Socket<Ends> | null;
  /** Data that came before the other end was connected, or did not fit. */
  pending: Uint8Array[];
}

/** A relay in front of the server at an address; it ends with the test process. */
export const startRelay = (address: string): Relay => {
  const target = new URL(address);
  const port = freePort();
  const sockets = new Set<Socket<Ends>>();
  let weather: NetworkState = "fair";
  let listener: TCPSocketListener<Ends> | null = null;

  const flush = (socket: Socket<Ends>): void => {
    const { pending } = socket.data;
    for (let chunk = pending.shift(); chunk !== undefined; chunk = pending.shift()) {
      const written = socket.write(chunk);
      if (written === chunk.length) continue;
      pending.unshift(chunk.subarray(Math.max(0, written)));
      return;
    }
  };

  const end = (socket: Socket<Ends>): void => {
    sockets.delete(socket);
    socket.data.other?.end();
  };

  const handler = {
    data(socket: Socket<Ends>, chunk: Buffer) {
      const { other } = socket.data;
      if (weather === "silent" || other === null) return;
      other.data.pending.push(new Uint8Array(chunk));
      flush(other);
    },
    drain: flush,
    close: end,
    error: end,
  };

  const listen = (): void => {
    listener = Bun.listen<Ends>({
      hostname: "127.0.0.1",
      port,
      socket: {
        ...handler,
        open(socket) {
          socket.data = { other: null, pending: [] };
          sockets.add(socket);
          socket.pause();
          void Bun.connect<Ends>({
            hostname: target.hostname,
            port: Number(target.port),
            data: { other: socket, pending: [] },
            socket: handler,
          }).then(
            (other) => {
              socket.data.other = other;
              sockets.add(other);
              socket.resume();
            },
            () => socket.end(),
          );
        },
      },
    });
    listener.unref();
  };

  listen();
  const relayed = new URL(address);
  relayed.port = String(port);
  return {
    url: relayed.href,
    become(next) {
      weather = next;
      if (next !== "broken") {
        if (listener === null) listen();
        return;
      }
      listener?.stop(true);
      listener = null;
      for (const socket of sockets) socket.terminate();
      sockets.clear();
    },
  };
};
