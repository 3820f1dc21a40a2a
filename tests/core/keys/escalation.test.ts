import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import type { Principal } from "../../../core/access/principal.ts";
import { Failure } from "../../../core/failure.ts";
import { credentialOf } from "../../../core/keys/credentials.ts";
import type { IssuedKey } from "../../../core/keys/secrets.ts";
import { ACTIONS, APP_TYPES, pairsOfSet, permissionSet, RESOURCES, ROLES } from "../../../core/permissions.ts";
import { inGate } from "../../support/depth.ts";
import { superAdminKey } from "../callers.ts";
import { createDealerRecords, newKeyBody, newUserBody, openUseCases, succeeded, type UseCases } from "../use-cases.ts";
import { excess, type Power, powerOf } from "./power.ts";

// A test takes half a second on an idle machine.
setDefaultTimeout(300_000);

let core: UseCases;
let dealerIds: readonly [number, number];
beforeAll(async () => {
  core = await openUseCases();
  dealerIds = [(await createDealerRecords(core)).dealerId, (await createDealerRecords(core)).dealerId];
});
afterAll(() => core.db.close());

const HELD = pairsOfSet(
  permissionSet([
    "vehicles:read",
    "keys:read",
    "keys:write",
    "users:read",
    "users:write",
    "users:delete",
    "audit:read",
  ]),
);

const admin = superAdminKey({ rateLimit: 10_000 });
let people = 0;
const email = () => `person-${++people}@harbor.example.com`;

const makeUser = async (fields: Readonly<Record<string, unknown>>): Promise<number> =>
  succeeded(await core.users.create(admin, newUserBody(email(), { permissions: HELD, ...fields }))).id;
const makeKey = async (fields: Readonly<Record<string, unknown>>): Promise<number> =>
  succeeded(await core.keys.create(admin, newKeyBody(fields))).record.id;

/** The keys that an attacker may have obtained first. */
const BEGINNINGS: Readonly<Record<string, () => Promise<number>>> = {
  "a dealer's key": () => makeKey({ dealer_id: dealerIds[0], permissions: HELD }),
  "a dealer admin's key": async () =>
    makeKey({ user_id: await makeUser({ role: "dealer_admin", dealer_id: dealerIds[0] }) }),
  "the key of a dealer's user": async () => makeKey({ user_id: await makeUser({ dealer_id: dealerIds[0] }) }),
  "the key of a user without a dealer": async () => makeKey({ user_id: await makeUser({}) }),
  "a super-admin key with some pairs": () => makeKey({ permissions: HELD }),
};

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const pair = fc.record({ resource: fc.constantFrom(...RESOURCES), action: fc.constantFrom(...ACTIONS) });
const permissions = fc.oneof(fc.subarray(HELD), fc.array(pair, { maxLength: 3 }));

/** One move: which of the obtained keys makes it, on which record, with which fields. */
const moves = fc.record({
  actor: fc.nat({ max: 50 }),
  target: fc.nat({ max: 50 }),
  dealer: fc.constantFrom(null, 0, 1),
  person: fc.nat({ max: 50 }),
  tie: fc.constantFrom("neither", "dealer", "person", "nobody any more", "association"),
  pair,
  operation: fc.constantFrom("make key", "change key", "grant", "rotate", "make user", "change user"),
  key: fc.record(
    {
      app_type: fc.constantFrom(...APP_TYPES),
      rate_limit: maybe(fc.constantFrom(1, 100, 5000)),
      permissions,
    },
    { requiredKeys: [] },
  ),
  user: fc.record({ role: fc.constantFrom(...ROLES), permissions }, { requiredKeys: [] }),
});
type Move = typeof moves extends fc.Arbitrary<infer Made> ? Made : never;

const recordsOf = async () => ({
  keys: succeeded(await core.keys.list(admin, { limit: 4 })).items.map(({ id }) => id),
  users: succeeded(await core.users.list(admin, { limit: 4 })).items.map(({ id }) => id),
});

const at = (ids: readonly number[], index: number): number => ids[index % ids.length] ?? 0;

/** Makes a move; returns the id of a key whose secret it showed. */
const make = async (caller: Principal, move: Move): Promise<number | null> => {
  const { keys, users } = await recordsOf();
  const dealer = { dealer_id: move.dealer === null ? null : dealerIds[move.dealer] };
  const ties = {
    neither: {},
    dealer,
    person: { user_id: at(users, move.person) },
    "nobody any more": { dealer_id: null, user_id: null },
    association: { ...dealer, association: "none" },
  }[move.tie];
  const operations: Record<Move["operation"], () => unknown> = {
    "make key": () => core.keys.create(caller, newKeyBody({ ...move.key, ...ties })),
    "change key": () => core.keys.update(caller, at(keys, move.target), { ...move.key, ...ties, name: "Changed" }),
    grant: () => core.keys.grant(caller, at(keys, move.target), move.pair),
    rotate: () => core.keys.rotate(caller, at(keys, move.target), {}),
    "make user": () => core.users.create(caller, newUserBody(email(), { ...move.user, ...dealer })),
    "change user": () => core.users.update(caller, at(users, move.target), { ...move.user, ...dealer }),
  };
  const outcome = await operations[move.operation]();
  return isShown(outcome) ? outcome.record.id : null;
};

const isShown = (outcome: unknown): outcome is IssuedKey =>
  typeof outcome === "object" && outcome !== null && !(outcome instanceof Failure) && "apiKey" in outcome;

const principalOf = async (keyId: number): Promise<Principal | null> => {
  const key = await core.storedKeys.find(keyId, "everything");
  const credential = key === null ? null : credentialOf(key, "", null);
  // Without an authorization: only the key's record is known here, so no secret can be looked up again.
  return credential === null ? null : { ...credential.principal, authorization: null };
};

/** Lets the holder of one key make all these moves; returns what each key it then holds can do. */
const applyMoves = async (first: number, sequence: readonly Move[]): Promise<Power[]> => {
  const held = [first];
  for (const move of sequence) {
    const caller = await principalOf(at(held, move.actor));
    const shown = caller === null ? null : await make(caller, move);
    if (shown !== null) held.push(shown);
  }
  const principals = await Promise.all([...new Set(held)].map(principalOf));
  return principals.filter((principal) => principal !== null).map(powerOf);
};

describe("after any sequence of created and changed keys and users", () => {
  for (const [name, begin] of Object.entries(BEGINNINGS))
    test(`a caller that began with ${name} has no key that can do more`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(moves, { minLength: 5, maxLength: 15 }), async (sequence) => {
          const first = await begin();
          const beginning = await principalOf(first);
          if (beginning === null) throw new Error("the first key does not work");
          for (const power of await applyMoves(first, sequence)) expect(excess(power, powerOf(beginning))).toEqual([]);
        }),
        { numRuns: inGate(30, 120) },
      );
    });
});
