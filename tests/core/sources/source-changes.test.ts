import { expect, test } from "bun:test";
import { Failure } from "../../../core/failure.ts";
import { runRefusal, sourceChanged } from "../../../core/sources/source-changes.ts";
import type { StoredSource } from "../../../core/sources/source-repository.ts";
import { allBut, dealerKey, superAdminKey } from "../callers.ts";
import { causeOf, succeeded } from "../use-cases.ts";

const AUTH = { type: "basic", user: "feed", password: "secret" } as const;
const SHOWN = { type: "basic", user: "feed" } as const;

/** A source that has failed twice. */
const SOURCE: StoredSource = {
  id: 1,
  dealerId: 1,
  name: "Nightly file",
  url: "https://files.example.com/lot.csv",
  schedule: "30 2 * * *",
  timezone: "UTC",
  options: {},
  field_owners: {},
  active: true,
  auth: SHOWN,
  endedBy: null,
  nextAt: "2026-11-21T02:30:00.000Z",
  etag: '"newest"',
  failures: 2,
  failingSince: "2026-11-19T02:30:00.000Z",
  runs: [],
  updatedAt: "2026-11-01T00:00:00.000Z",
};
const NEXT = "2026-11-22T00:00:00.000Z";
const refused = new Failure({ kind: "target-refused", issue: { path: "url", message: "is refused" } });

const changed = (
  changes: Parameters<typeof sourceChanged>[1],
  { stored = SOURCE, by = superAdminKey(), targetFailure = (): Failure | null => null } = {},
) => sourceChanged(stored, changes, { by, targetFailure, nextTick: ({ active }) => (active ? NEXT : null) });

test("a source's next fetch moves only with its schedule, its zone or its being active", () => {
  const nextOf = (changes: Parameters<typeof changed>[0], stored = SOURCE) =>
    succeeded(changed(changes, { stored })).nextAt;
  expect(nextOf({ name: "Another", schedule: SOURCE.schedule })).toBe(SOURCE.nextAt);
  expect(nextOf({ schedule: "0 5 * * *" })).toBe(NEXT);
  expect(nextOf({ timezone: "Europe/Berlin" })).toBe(NEXT);
  expect(nextOf({ active: false })).toBeNull();
  expect(nextOf({ active: true }, { ...SOURCE, active: false, endedBy: "user", nextAt: null })).toBe(NEXT);
});

test("what is known of the last file is forgotten with another address, other options or sent credentials", () => {
  const isReset = (changes: Parameters<typeof changed>[0]) => succeeded(changed(changes)).isReset;
  expect(isReset({ name: "Another", options: { mode: "upsert" } })).toBe(false);
  expect(isReset({ url: "https://files.example.com/other.csv" })).toBe(true);
  expect(isReset({ options: { mode: "snapshot" } })).toBe(true);
  expect(isReset({ auth: AUTH })).toBe(true);
});

test("failures are forgotten only when it is switched on again", () => {
  const failuresOf = (stored: StoredSource) => succeeded(changed({ active: true }, { stored })).failures;
  expect(failuresOf(SOURCE)).toBe(2);
  expect(failuresOf({ ...SOURCE, active: false, endedBy: "user" })).toBe(0);
});

test("stored credentials are never sent to another host, and a refused address is refused only when it is new", () => {
  const url = "https://elsewhere.example.com/lot.csv";
  expect(causeOf(changed({ url }))).toMatchObject({ kind: "invalid", issues: [{ path: "auth" }] });
  expect(causeOf(changed({ url, auth: AUTH }))).toBeNull();
  expect(causeOf(changed({ url }, { stored: { ...SOURCE, auth: null } }))).toBeNull();
  const targetFailure = () => refused;
  expect(changed({ url: SOURCE.url }, { targetFailure }) instanceof Failure).toBe(false);
  expect(changed({ url, auth: null }, { targetFailure })).toBe(refused);
});

test("whoever lacks the right to remove missing vehicles neither asks for it nor has it run", () => {
  const by = dealerKey(1, { permissions: allBut("vehicles:delete") });
  const options = { mode: "snapshot", missing: "remove" } as const;
  expect(causeOf(changed({ options }, { by }))?.kind).toBe("permission-missing");
  expect(causeOf(runRefusal({ ...SOURCE, options }, by))?.kind).toBe("permission-missing");
  expect(runRefusal(SOURCE, by)).toBeNull();
});

test("only the rank that switched it off or a higher one switches it on or has it run", () => {
  const stored: StoredSource = { ...SOURCE, active: false, endedBy: "super_admin" };
  expect(causeOf(changed({ active: true }, { stored, by: dealerKey(1) }))?.kind).toBe("escalation");
  expect(causeOf(runRefusal(stored, dealerKey(1)))?.kind).toBe("escalation");
  expect(runRefusal(stored, superAdminKey())).toBeNull();
});
