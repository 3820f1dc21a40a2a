import { connect } from "node:net";
import { ATTACKS, type Target } from "./attacks.ts";
import { Responses } from "./responses.ts";

/** The pause before a closed connection is replaced. */
const PAUSE_MS = 20;

const [name, parameters] = process.argv.slice(2);
const attack = ATTACKS.find((one) => one.name === name);
if (attack === undefined || parameters === undefined) throw new Error("usage: attacker.ts <attack> <target as JSON>");
const target: Target = JSON.parse(parameters);
const port = Number(target.host.split(":")[1]);
const statuses: Record<string, number> = {};
let turn = 0;

/** Keeps one connection busy, either with one request after another or with one whose answer is not read. */
const attackOnce = (): void => {
  const socket = connect(port, "127.0.0.1");
  const responses = new Responses();
  const send = (): void => void socket.write(attack.request(target, turn++));
  const statusOf = (chunk: Buffer): number => {
    try {
      return responses.take(chunk);
    } catch {
      socket.destroy();
      return 0;
    }
  };
  socket.on("connect", send);
  if (!attack.reads) socket.pause();
  socket.on("data", (chunk: Buffer) => {
    const status = statusOf(chunk);
    if (status === 0) return;
    statuses[status] = (statuses[status] ?? 0) + 1;
    send();
  });
  socket.on("error", () => {});
  socket.on("close", () => setTimeout(attackOnce, PAUSE_MS));
};

for (let connection = 0; connection < attack.connections; connection++) attackOnce();
// When the parent stops this process, it reports the answers that it got.
process.on("SIGTERM", () => {
  process.stdout.write(JSON.stringify(statuses));
  process.exit(0);
});
