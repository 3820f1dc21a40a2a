import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { inGate, SEED } from "../support/depth.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { BOOTSTRAP_KEY, type Instance, startInstances } from "../support/instances.ts";
import { dealerBody } from "../support/sample-records.ts";

setDefaultTimeout(600_000);

/** How often it is killed at any moment. */
const KILLS = inGate(0, 12);
/** The turns of the event loop after which it is killed, at most. */
const TURNS = 600;
const KEPT = "SELECT name FROM kept_answers";

const send = ({ url }: Instance, name: string) =>
  fetch(`${url}/api/dealers`, {
    method: "POST",
    headers: { "x-api-key": BOOTSTRAP_KEY, "content-type": "application/json", "idempotency-key": name },
    body: JSON.stringify({ ...dealerBody(), name }),
  });

for (const engine of ANSWERING)
  describe(`a service that is killed on ${engine.name}`, () => {
    const start = async (url: string): Promise<Instance> => {
      const [instance] = await startInstances(1, { DATABASE_URL: url });
      if (instance === undefined) throw new Error("no instance was started");
      return instance;
    };

    test("answers again what it had committed, and nothing is made twice or without its answer", async () => {
      const url = await engine.migratedUrl();
      let instance = await start(url);
      const answer = send(instance, "committed").catch(() => null);
      await eventually(
        () => queryDatabase(url, KEPT),
        (rows) => rows.length === 1,
      );
      instance.signal("SIGKILL");
      await Promise.all([instance.exited, answer]);
      instance = await start(url);
      const again = await send(instance, "committed");
      expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
      for (let kill = 0; kill < KILLS; kill++) {
        const name = `kill-${kill}`;
        const lost = send(instance, name).catch(() => null);
        for (let turn = (SEED + kill * 7919) % TURNS; turn > 0; turn--) await nextTurn();
        instance.signal("SIGKILL");
        await Promise.all([instance.exited, lost]);
        instance = await start(url);
        expect((await send(instance, name)).status).toBe(201);
      }
      const made = await queryDatabase<{ name: string }>(url, "SELECT name FROM dealers ORDER BY name");
      const kept = await queryDatabase<{ name: string }>(url, `${KEPT} ORDER BY name`);
      expect(made.map(({ name }) => name)).toEqual(kept.map(({ name }) => name));
      expect(made.length).toBe(1 + KILLS);
      expect(await instance.stop()).toBe(0);
    });
  });
