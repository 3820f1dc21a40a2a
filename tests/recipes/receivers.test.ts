import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook as Signer } from "standardwebhooks";
import { systemClock } from "../../adapters/system/clock.ts";
import type { Delivery } from "../../core/webhooks/webhook.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/ports.ts";
import { PYTHON, startRecipe } from "../support/recipes.ts";
import { create, NORTH, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

/** The receivers' clock is the machine's, so that of the service is, too. */
const MACHINE = { clock: systemClock };
const SIX_MINUTES = 360;
const ANOTHER_SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

for (const engine of ANSWERING)
  describe(`a webhook's receiver on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, { EGRESS_ALLOW: "127.0.0.0/8" }, MACHINE);
    const ending: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const end of ending.splice(0)) await end();
    });

    /** A webhook, and its receiver as a program. */
    const receiving = async (recipe: string) => {
      const port = freePort();
      const url = `http://127.0.0.1:${port}/hook`;
      const body = { url, events: ["vehicle.created"], dealer_id: NORTH };
      const { id, secret } = await create<{ id: number; secret: string }>(fixture.api, "/api/webhooks", body);
      const folder = mkdtempSync(join(tmpdir(), "receiver-"));
      const start = () => {
        const env = { WEBHOOK_SECRET: secret, PORT: String(port) };
        const program = startRecipe(recipe, { folder, args: ["messages.db"], env });
        const lines: string[] = [];
        const read = (async () => {
          for await (const piece of program.stdout.pipeThrough(new TextDecoderStream())) lines.push(piece);
        })();
        const printed = () => lines.join("").split("\n").slice(0, -1);
        const end = async () => {
          program.kill("SIGKILL");
          await Promise.all([program.exited, read]);
        };
        ending.push(end);
        return { end, printed, prints: (line: string) => eventually(printed, (all) => all.includes(line)) };
      };
      ending.push(async () => {
        await fixture.api("DELETE", `/api/webhooks/${id}`);
        rmSync(folder, { recursive: true });
      });
      /** Sends a message, signed `secondsAgo` with a secret. */
      const send = async (name: string, { by = secret, secondsAgo = 0, text = "" } = {}): Promise<number> => {
        const message = JSON.stringify({ type: "vehicle.updated", data: { id: 17 } });
        const at = new Date(systemClock.nowMs() - secondsAgo * 1000);
        const headers = {
          "webhook-id": name,
          "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
          "webhook-signature": `${new Signer(ANOTHER_SECRET).sign(name, at, message)} ${new Signer(by).sign(name, at, message)}`,
        };
        return (await fetch(url, { method: "POST", headers, body: message + text })).status;
      };
      const deliveries = async () =>
        (await fixture.api<{ data: readonly Delivery[] }>("GET", `/api/webhooks/${id}/deliveries`)).body.data;
      /** How many stored messages it still has to do. */
      const undone = (): number => {
        using inbox = new Database(join(folder, "messages.db"));
        inbox.run("PRAGMA busy_timeout = 10000");
        return inbox.query<{ id: string }, []>("SELECT id FROM messages WHERE done = 0").all().length;
      };
      return { id, start, send, deliveries, undone };
    };

    // Machines without Python do not run the recipe in Python.
    for (const recipe of ["webhook-receiver.ts", "webhook_receiver.py"])
      test.skipIf(recipe.endsWith(".py") && PYTHON === null)(
        `${recipe} takes what the service signed, each message once, and nothing else`,
        async () => {
          const { id, start, send, deliveries, undone } = await receiving(recipe);
          const receiver = start();
          await receiver.prints("listening");
          const car = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
          await receiver.prints(`vehicle.created ${car.id}`);
          const [first] = await eventually(deliveries, ([one]) => one?.state === "delivered");
          await fixture.api("POST", `/api/webhooks/${id}/deliveries/${first?.id}/redeliver`);
          const again = await eventually(deliveries, (all) =>
            all.some(({ state, attempts }) => state === "delivered" && attempts.length === 2),
          );
          expect(again.flatMap(({ attempts }) => attempts.map(({ status }) => status))).toEqual([204, 204]);
          expect([
            await send("wrong", { by: ANOTHER_SECRET }),
            await send("altered", { text: " " }),
            await send("old", { secondsAgo: SIX_MINUTES }),
            await send("early", { secondsAgo: -SIX_MINUTES }),
            await send("genuine"),
          ]).toEqual([401, 401, 401, 401, 204]);
          await receiver.prints("vehicle.updated 17");
          const created = `vehicle.created ${car.id}`;
          expect(receiver.printed()).toEqual(["listening", created, "vehicle.updated 17"]);
          // What it has done is not done again after a restart.
          await eventually(undone, (count) => count === 0);
          await receiver.end();
          const later = start();
          await later.prints("listening");
          expect(await send("genuine")).toBe(204);
          await send("another");
          await later.prints("vehicle.updated 17");
          expect(later.printed()).toEqual(["listening", "vehicle.updated 17"]);
        },
      );
  });
