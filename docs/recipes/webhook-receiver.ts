/**
 * Receives a webhook's messages: it verifies each, stores it, answers at once and does its work after that. What was
 * stored and not yet done is done after a restart. Run it with Node 22.18 or newer or with Bun, behind a proxy for https:
 *
 *     WEBHOOK_SECRET=whsec_... PORT=8080 node webhook-receiver.ts messages.db
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { DatabaseSync } from "node:sqlite";

interface Message {
  readonly type: string;
  readonly data: { readonly id: number };
}

const { WEBHOOK_SECRET = "", PORT = "8080" } = process.env;
const KEY = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ""), "base64");
if (KEY.length === 0) throw new Error("WEBHOOK_SECRET is not set");
const FIVE_MINUTES = 300;
const LARGEST = 1_000_000;

const [file = "messages.db"] = process.argv.slice(2);
const inbox = new DatabaseSync(file);
inbox.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA busy_timeout = 10000;
  CREATE TABLE IF NOT EXISTS messages (id TEXT PRIMARY KEY, body TEXT NOT NULL, done INTEGER DEFAULT 0);
`);
const sql = {
  // A message that arrives once more has the same id.
  store: inbox.prepare("INSERT OR IGNORE INTO messages (id, body) VALUES (?, ?)"),
  next: inbox.prepare("SELECT id, body FROM messages WHERE done = 0 ORDER BY rowid LIMIT 1"),
  done: inbox.prepare("UPDATE messages SET done = 1 WHERE id = ?"),
};

const isGenuine = ({ headers }: IncomingMessage, body: Buffer): boolean => {
  const [id, at, signatures] = ["id", "timestamp", "signature"].map((name) => String(headers[`webhook-${name}`]));
  if (!(Math.abs(Date.now() / 1000 - Number(at)) <= FIVE_MINUTES)) return false;
  const wanted = Buffer.from(`v1,${createHmac("sha256", KEY).update(`${id}.${at}.`).update(body).digest("base64")}`);
  // There are two while a secret is rotated.
  return String(signatures)
    .split(" ")
    .some((one) => {
      const given = Buffer.from(one);
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    });
};

/** Your work. It is done again if the program ends in the middle. */
const work = async ({ type, data }: Message): Promise<void> => {
  process.stdout.write(`${type} ${data.id}\n`);
};

let working = false;
const workOff = async (): Promise<void> => {
  if (working) return;
  working = true;
  try {
    for (let row = sql.next.get(); row !== undefined; row = sql.next.get()) {
      await work(JSON.parse(String(row.body)) as Message);
      sql.done.run(String(row.id));
    }
  } finally {
    working = false;
  }
};

/** The body as it arrived, for that is what was signed; `null` if it is too large. */
const bodyOf = async (request: IncomingMessage): Promise<Buffer | null> => {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.length;
    if (size > LARGEST) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

const answer = async (request: IncomingMessage): Promise<number> => {
  const body = await bodyOf(request);
  if (body === null) return 413;
  if (!isGenuine(request, body)) return 401;
  sql.store.run(String(request.headers["webhook-id"]), body.toString());
  return 204;
};

const server = createServer(async (request, response) => {
  // What goes wrong here is sent again later.
  response.writeHead(await answer(request).catch(() => 500)).end();
  await workOff();
});
await workOff();
server.listen(Number(PORT), () => process.stdout.write("listening\n"));
