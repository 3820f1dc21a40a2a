import { beforeAll, describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import {
  type CreatedKey,
  create,
  keyBody,
  NORTH,
  NOTHING,
  SOUTH,
  SOUTH_MARK,
  userBody,
} from "../support/sample-records.ts";
import { EVERY_PAIR } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { type Binding, OPERATIONS, type Operation, sentBy } from "./operations.ts";
import { freshTargets, missingTargets, snapshotOf, type Targets, targetsOf } from "./targets.ts";

interface Outcome {
  readonly status: number | "success";
  readonly code?: string;
}

/** What the answer to a creation of a record, or of vehicles, says about their dealer. */
interface Made {
  readonly dealer_id?: number;
  readonly dealer_ids?: readonly number[];
  readonly results?: readonly { readonly vehicle_id: number }[];
}

/** The outcome of an operation for a bound key, by the owner of the record. */
const OUTCOMES: Readonly<Record<Binding, { own: Outcome; foreign: Outcome; missing: Outcome }>> = {
  list: { own: { status: "success" }, foreign: { status: "success" }, missing: { status: "success" } },
  each: { own: { status: "success" }, foreign: { status: "success" }, missing: { status: "success" } },
  overridden: { own: { status: "success" }, foreign: { status: "success" }, missing: { status: "success" } },
  own: {
    own: { status: "success" },
    foreign: { status: 403, code: "not_your_dealer" },
    missing: { status: 404, code: "not_found" },
  },
  visibility: {
    own: { status: "success" },
    foreign: { status: 404, code: "not_found" },
    missing: { status: 404, code: "not_found" },
  },
  never: {
    own: { status: 403, code: "dealer_bound" },
    foreign: { status: 403, code: "dealer_bound" },
    missing: { status: 403, code: "dealer_bound" },
  },
};

const BOUND = ["a dealer's key", "a dealer's admin with every permission"] as const;

for (const engine of ANSWERING)
  describe(`dealer binding on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const keys: Record<string, string> = {};
    let theirs: Targets;
    let theirsBefore: unknown[];

    beforeAll(async () => {
      const admin = userBody({ role: "dealer_admin", dealer_id: NORTH, permissions: EVERY_PAIR });
      const user = await create(fixture.api, "/api/users", admin);
      theirs = await freshTargets(fixture.api, { dealer: SOUTH, mark: SOUTH_MARK });
      theirsBefore = await snapshotOf(fixture.api, theirs);
      keys[BOUND[0]] = fixture.records.keys.north.api_key;
      keys[BOUND[1]] = (await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ user_id: user.id }))).api_key;
    });

    const send = (caller: string, operation: Operation, at: Targets) =>
      fixture.api<Made>(operation.method, operation.path(at), { key: keys[caller] ?? null, ...sentBy(operation, at) });

    /** The dealers of a new record, or of the vehicle that the answer names. */
    const dealersOf = async (body: Made) => {
      const [first] = body.results ?? [];
      if (first === undefined) return body.dealer_ids?.join() ?? String(body.dealer_id);
      return (
        await fixture.api<{ dealer_id: number }>("GET", `/api/vehicles/${first.vehicle_id}`)
      ).body.dealer_id.toString();
    };

    for (const caller of BOUND)
      for (const operation of OPERATIONS) {
        const { name, success, bound } = operation;
        const expected = ({ status, code }: Outcome) => ({
          status: status === "success" ? success : status,
          ...(code !== undefined && { code }),
        });
        const { own, foreign, missing } = OUTCOMES[bound];

        test(`${caller} that tries to ${name} with its own records gets ${own.status}`, async () => {
          const ours = await freshTargets(fixture.api, { dealer: NORTH, mark: "ours", named: targetsOf(operation) });
          const reply = await send(caller, operation, ours);
          expectReply(reply, expected(own));
          if (bound === "overridden") expect(await dealersOf(reply.body)).toBe(String(NORTH));
        });

        test(`${caller} that tries to ${name} with another dealer's records gets ${foreign.status}, and sees nothing`, async () => {
          const reply = await send(caller, operation, theirs);
          expectReply(reply, { ...expected(foreign), hides: [SOUTH_MARK] });
          if (bound === "overridden") expect(await dealersOf(reply.body)).toBe(String(NORTH));
        });

        test(`${caller} that tries to ${name} with missing records gets ${missing.status}`, async () => {
          expectReply(await send(caller, operation, missingTargets(NOTHING)), expected(missing));
        });
      }

    test("nothing of another dealer's records has changed by any of these", async () => {
      expect(await snapshotOf(fixture.api, theirs)).toEqual(theirsBefore);
    });
  });
