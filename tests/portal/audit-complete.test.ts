import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Core } from "../../app/compose-core.ts";
import type { Action } from "../../core/audit/actions.ts";
import { Failure } from "../../core/failure.ts";
import { coarse } from "../support/audit-actions.ts";
import { type Browser, firstAdmin, inviteAndSignIn, makePerson } from "../support/browser.ts";
import { coreOn } from "../support/core.ts";
import { ANSWERING } from "../support/engines.ts";
import { create, imageBody, keyBody, NORTH, NOTHING, SOUTH, userBody, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { CHANGES, type Change, type Stock, type Target } from "./random-changes.ts";

const STEPS = 900;
/** Enough records of every kind, so that removals do not use them up. */
const ROUNDS_OF_STOCK = 30;

interface Entry {
  readonly id: number;
  readonly actor: { readonly type: string; readonly id: number | null; readonly name: string };
  readonly via: string;
  readonly action: string;
  readonly resource_id: number | null;
}

/** The outcome of a change: a status as over HTTP, and the id of a new record. */
interface Result {
  readonly status: number;
  readonly made: number | null;
}

/** A caller that makes changes, and its name in the audit log. */
interface Caller {
  readonly actor: string;
  perform(change: Change, at: Target, body: object | undefined): Promise<Result>;
}

const NO_WAY: Result = { status: 404, made: null };

/** One step: who changes what, some invalidly or on missing records. */
const STEP = fc.record({
  caller: fc.nat(),
  change: fc.nat(CHANGES.length - 1),
  targets: fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat(), fc.nat()),
  fault: fc.oneof({ weight: 8, arbitrary: fc.constant("none") }, fc.constantFrom("body", "target")),
});

const pick = <Item>(items: readonly Item[], number: number): Item => {
  const item = items[number % items.length];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
};

const nothing = { id: NOTHING, vehicle: NOTHING };
const MISSING: Target = {
  ...{ dealer: NOTHING, vehicle: NOTHING, image: nothing, images: [NOTHING], key: NOTHING, user: NOTHING },
};

const nameOf = ({ action, resource_id, actor, via }: Entry): string =>
  `${coarse(action as Action)} ${resource_id} by ${actor.type} ${actor.id} ${actor.name} via ${via}`;

for (const engine of ANSWERING)
  describe(`the audit log on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    const withKey = (id: number, name: string, key: string): Caller => ({
      actor: `key ${id} ${name} via api`,
      async perform({ method, path }, at, body) {
        const headers = { "x-api-key": key, "content-type": "application/json", "x-forwarded-for": "198.51.100.9" };
        const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
        const response = await fetch(fixture.service.url + path(at), init);
        const made = (await response.json()) as { id?: number };
        return { status: response.status, made: made.id ?? null };
      },
    });

    const withSession = (id: number, name: string, session: Browser): Caller => ({
      actor: `user ${id} ${name} via portal`,
      async perform({ method, path }, at, body) {
        const reply = await session.send<{ id?: number }>(method, `/portal${path(at)}`, { body });
        return { status: reply.status, made: reply.body.id ?? null };
      },
    });

    const commandLine = (core: Core): Caller => ({
      actor: "command null Command line via command",
      async perform({ command }, at, body) {
        if (command === undefined) return NO_WAY;
        const outcome = await command(core, at, body ?? {});
        if (outcome instanceof Failure) return { status: 400, made: null };
        const { id } = Object(outcome) as { id?: unknown };
        return { status: 200, made: typeof id === "number" ? id : null };
      },
    });

    /** Enough callers that none is denied more often in a minute than the log records. */
    const callers = async (core: Core): Promise<Caller[]> => {
      const { records, service, api } = fixture;
      const admin = await firstAdmin(service);
      const who = async (fields: object) => {
        const { id, email } = await makePerson(admin, { ...fields, name: "Kim Example" });
        return withSession(id, "Kim Example", await inviteAndSignIn(service.url, admin, id ?? email));
      };
      const { body: mine } = await admin.send<{ user: { id: number; name: string } }>("GET", "/portal/api/session");
      const names = ["super-admin", "super-admin's user", "north", "south", "north's admin", "powerless"] as const;
      const keys = names.map(async (name) => {
        const { id, api_key } = records.keys[name];
        const record = await api<{ name: string }>("GET", `/api/keys/${id}`);
        return withKey(id, record.body.name, api_key);
      });
      const command = commandLine(core);
      return [
        ...(await Promise.all(keys)),
        withSession(mine.user.id, mine.user.name, admin),
        await who({ role: "super_admin" }),
        await who({ role: "super_admin" }),
        await who({ role: "super_admin" }),
        await who({ role: "dealer_admin", dealer_id: NORTH }),
        await who({ role: "dealer_admin", dealer_id: SOUTH }),
        await who({ dealer_id: NORTH }),
        await who({ dealer_id: SOUTH }),
        await who({}),
        ...[command, command, command, command, command, command],
      ];
    };

    const stockUp = async (): Promise<Stock> => {
      const { api } = fixture;
      const stock: Stock = { dealers: [NORTH, SOUTH], vehicles: [], images: [], keys: [], users: [] };
      for (let round = 0; round < ROUNDS_OF_STOCK; round++) {
        const dealer_id = pick([NORTH, SOUTH], round);
        const { id: vehicle } = await create(api, "/api/vehicles", vehicleBody(dealer_id));
        stock.images.push({ id: (await create(api, `/api/vehicles/${vehicle}/images`, imageBody())).id, vehicle });
        stock.vehicles.push((await create(api, "/api/vehicles", vehicleBody(dealer_id))).id);
        stock.keys.push((await create(api, "/api/keys", keyBody({ dealer_id, rate_limit: 5 }))).id);
        stock.users.push((await create(api, "/api/users", userBody({ dealer_id }))).id);
      }
      return stock;
    };

    /** The newest entries, including every denial so far. */
    const entries = async (): Promise<Entry[]> => (await fixture.api<Entry[]>("GET", "/api/audit?limit=1000")).body;

    test("has one entry for each change through any entry point and for each denial, and none for other refusals", async () => {
      const db = await engine.open(fixture.service.databaseUrl);
      const core = coreOn(db, fixture.service.clock);
      try {
        const everybody = await callers(core);
        await fc.assert(
          fc.asyncProperty(fc.noBias(fc.array(STEP, { minLength: STEPS, maxLength: STEPS })), async (steps) => {
            const stock = await stockUp();
            const last = Math.max(...(await entries()).map(({ id }) => id));
            const expected: string[] = [];
            let changes = 0;
            for (const [step, { caller, change, targets, fault }] of steps.entries()) {
              const who = pick(everybody, caller);
              const what = pick(CHANGES, change);
              const image = pick(stock.images, targets[0]);
              const there: Target = {
                image,
                images: stock.images.filter(({ vehicle }) => vehicle === image.vehicle).map(({ id }) => id),
                dealer: pick(stock.dealers, targets[1]),
                vehicle: pick(stock.vehicles, targets[2]),
                key: pick(stock.keys, targets[3]),
                user: pick(stock.users, targets[4]),
              };
              const at = fault === "target" ? MISSING : there;
              const body = fault === "body" && what.body ? { nonsense: step } : what.body?.(at, step);
              const { status, made } = await who.perform(what, at, body);
              const named = what.id(at);
              if (status === 403) {
                const resource = named === "made" || named === null ? nestedIn(what, at) : named;
                expected.push(`access.denied ${resource} by ${who.actor}`);
              }
              if (status >= 300) continue;
              changes++;
              const id = named === "made" ? made : named;
              expected.push(`${what.action} ${id} by ${who.actor}`);
              updateStock(stock, what, at, id);
            }
            const found = (await entries()).filter(({ id }) => id > last);
            expect(found.map(nameOf).sort()).toEqual(expected.toSorted());
            expect(changes).toBeGreaterThan(STEPS / 2);
            expect(expected.length).toBeGreaterThan(changes + STEPS / 20);
          }),
          { numRuns: 1, seed: 20_261_120, endOnFailure: true },
        );
      } finally {
        await db.close();
      }
    });
  });

/** The parent of the record that would have been created: an image's vehicle. */
const nestedIn = ({ action }: Change, { image }: Target): number | null =>
  action.startsWith("image.") ? image.vehicle : null;

/** Adds created records to the stock for later changes, and drops removed ones. */
const updateStock = (stock: Stock, { stock: kind, removes }: Change, { image }: Target, id: number | null): void => {
  if (kind === undefined || id === null) return;
  if (kind === "images") {
    if (removes)
      stock.images.splice(
        stock.images.findIndex((one) => one.id === id),
        1,
      );
    else stock.images.push({ id, vehicle: image.vehicle });
  } else if (removes) stock[kind].splice(stock[kind].indexOf(id), 1);
  else stock[kind].push(id);
};
