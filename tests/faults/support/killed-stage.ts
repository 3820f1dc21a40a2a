import { mkdtempSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sqlite } from "../../../adapters/sql/sqlite/addon.ts";
import { fileOf } from "../../../app/database.ts";
import { afterExit } from "../../support/after-exit.ts";
import type { TestEngine } from "../../support/engines.ts";
import { HUNG_MS } from "../../support/hung.ts";
import { BOOTSTRAP_KEY, type Instance, startInstances } from "../../support/instances.ts";
import { startFaultyServer } from "./server.ts";

/** What can be killed. On SQLite, the database is killed with the service. */
export type Part = "sender" | "receiver" | "database";

/** The database of an engine, which statements change past the service. */
interface Database {
  readonly url: string;
  /** Kills its processes, and starts them again. */
  readonly kill: () => Promise<void>;
  readonly run: (statement: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly remove: () => Promise<void>;
  /** What a reading statement ends with to lock its rows. */
  readonly locking: string;
}

const openDatabase: Readonly<Record<TestEngine["name"], () => Promise<Database>>> = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-killed-"));
    const remove = afterExit('rm -rf "$1"', folder);
    const url = `sqlite:${join(folder, "inventory.db")}`;
    const run: Database["run"] = async (statement) => {
      const file = new Sqlite(fileOf(url), { timeout: HUNG_MS });
      const query = file.prepare<unknown[], Readonly<Record<string, unknown>>>(statement);
      const rows = query.reader ? query.all() : [];
      if (!query.reader) query.run();
      file.close();
      return rows;
    };
    return { url, kill: () => Promise.reject(new Error("it runs in the service")), run, remove, locking: "" };
  },
  async PostgreSQL() {
    const server = await startFaultyServer();
    const kill = async (): Promise<void> => {
      await server.crash();
      await server.start();
    };
    return { url: server.address(), kill, run: server.query, remove: server.remove, locking: "FOR UPDATE" };
  },
};

/** A message as it arrived. */
interface Arrival {
  readonly id: string;
  /** The time of the try by the service's clock, in seconds. */
  readonly second: number;
  readonly body: string;
  /** False if something was killed before the receiver had stored it. */
  readonly isStored: boolean;
}

/**
 * A receiver of webhooks, which refuses every ninth message, and can be killed. `arrived` returns true if it kills
 * something: the message that has just arrived is lost then.
 */
const startReceiver = async (arrived: () => boolean) => {
  const arrivals: Arrival[] = [];
  let port = 0;
  let server: Server;
  const start = async (): Promise<void> => {
    server = createServer(async (request, response) => {
      let body = "";
      try {
        for await (const piece of request) body += piece;
      } catch {
        return;
      }
      const { "webhook-id": id, "webhook-timestamp": second } = request.headers;
      const isStored = !arrived();
      arrivals.push({ id: String(id), second: Number(second), body, isStored });
      if (isStored) response.writeHead(arrivals.length % 9 === 0 ? 503 : 200).end();
      else request.socket.destroy();
    });
    await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
    ({ port } = server.address() as AddressInfo);
  };
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => void server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  await start();
  return { arrivals, url: `http://127.0.0.1:${port}/hook`, start, stop };
};

const PAST = "'2000-01-01T00:00:00.000Z'";
const LOOK = `UPDATE webhooks SET due_at = ${PAST}`;
/** Changes some messages. Like the service, it locks their webhooks first. */
const changing = (change: string, locking: string): string =>
  `WITH locked AS (SELECT id FROM webhooks ${locking})
    UPDATE webhook_deliveries ${change} AND webhook_id IN (SELECT id FROM locked)`;
const END_PAUSES = `SET next_at = ${PAST} WHERE state = 'pending'`;
const END_LEASES = `SET lease_until = ${PAST} WHERE lease_until IS NOT NULL`;

/** A service in processes of its own, its database and a receiver, each of which can be killed. */
export const openStage = async (engine: TestEngine, arrived: () => boolean) => {
  const database = await openDatabase[engine.name]();
  const receiver = await startReceiver(arrived);
  const start = async (): Promise<Instance> => {
    const environment = { DATABASE_URL: database.url, EGRESS_ALLOW: "127.0.0.0/8" };
    const [started] = await startInstances(1, environment);
    if (started === undefined) throw new Error("no instance was started");
    return started;
  };
  let instance = await start();
  const kill: Readonly<Record<Part, () => Promise<void>>> = {
    async sender() {
      instance.signal("SIGKILL");
      await instance.exited;
      instance = await start();
    },
    async receiver() {
      await receiver.stop();
      await receiver.start();
    },
    database: database.kill,
  };
  return {
    databaseUrl: database.url,
    receiver,
    kill,
    /** Lets all leases of senders come to their end, and tells of which messages. */
    async letLeasesEnd(): Promise<readonly string[]> {
      const ended = await database.run(`${changing(END_LEASES, database.locking)} RETURNING message`);
      await database.run(LOOK);
      return ended.map(({ message }) => String(message));
    },
    /** Lets the pauses between tries come to their end, too. */
    async letTimePass(): Promise<void> {
      for (const change of [END_PAUSES, END_LEASES]) await database.run(changing(change, database.locking));
      await database.run(LOOK);
    },
    /** Sends a request to the service as it runs now; `null` if it got no answer. */
    async ask(method: string, path: string, { key = BOOTSTRAP_KEY, name, body }: Asked = {}) {
      const response = await fetch(instance.url + path, {
        method,
        headers: {
          "x-api-key": key,
          "content-type": "application/json",
          ...(name !== undefined && { "idempotency-key": name }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch(() => null);
      const text = await response?.text().catch(() => null);
      return response === null || text === null || text === undefined
        ? null
        : { status: response.status, headers: response.headers, text };
    },
    async close(): Promise<void> {
      await instance.stop();
      await receiver.stop();
      await database.remove();
    },
  };
};

interface Asked {
  readonly key?: string;
  readonly name?: string;
  readonly body?: object;
}

export type Stage = Awaited<ReturnType<typeof openStage>>;
