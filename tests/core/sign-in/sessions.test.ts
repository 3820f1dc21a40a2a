import { describe, expect, test } from "bun:test";
import { clientActor } from "../../../core/sign-in/client-actor.ts";
import { callerOf, isRecentProof, presentSession, type SessionRecord } from "../../../core/sign-in/sessions.ts";
import { fakeClock, START_MS } from "../../support/clock.ts";
import { userFields } from "../../support/records.ts";

const MINUTE_MS = 60_000;
const at = (ms: number): string => new Date(START_MS + ms).toISOString();

describe("a proof of identity", () => {
  for (const [what, provedAtMs, isRecent] of [
    ["just given", 0, true],
    ["30 minutes old, less a millisecond", -30 * MINUTE_MS + 1, true],
    ["30 minutes old", -30 * MINUTE_MS, false],
    ["30 minutes and a millisecond old", -30 * MINUTE_MS - 1, false],
    ["a minute ahead, as another instance's clock may be", MINUTE_MS, true],
    ["a minute and a millisecond ahead", MINUTE_MS + 1, false],
  ] as const)
    test(`${what}, is ${isRecent ? "recent" : "not recent"}`, () => {
      expect(isRecentProof(at(provedAtMs), fakeClock())).toBe(isRecent);
    });
});

const SESSION: SessionRecord = {
  id: 3,
  address: "192.0.2.7",
  userAgent: "Browser",
  createdAt: at(0),
  lastSeenAt: at(1),
  expiresAt: at(2),
  endsAt: at(3),
};
const USER = { ...userFields({ name: "Robin" }), id: 5, invited: false, createdAt: at(0), updatedAt: at(0) };

test("a session is of no caller if its user may not act, and of one who proved it recently or did not", () => {
  const signedIn = { session: SESSION, user: USER, secondFactor: false, recoveryCodesLeft: 0, provedAt: at(0) };
  for (const provedRecently of [true, false])
    expect(callerOf({ ...signedIn, provedRecently })).toMatchObject({ userId: 5, via: "portal", provedRecently });
  for (const user of [
    { ...USER, active: false },
    { ...USER, role: "dealer_admin" as const, dealerId: null },
  ])
    expect(callerOf({ ...signedIn, user, provedRecently: true })).toBeNull();
});

test("a session is shown without its absolute end, and only the caller's own is the current one", () => {
  const shown = {
    id: 3,
    address: "192.0.2.7",
    user_agent: "Browser",
    created_at: at(0),
    last_seen_at: at(1),
    expires_at: at(2),
  };
  expect(presentSession(SESSION, 3)).toEqual({ ...shown, current: true });
  expect(presentSession(SESSION, 4)).toEqual({ ...shown, current: false });
  expect(presentSession(SESSION, null)).toEqual({ ...shown, current: false });
});

test("a client acts in its user's name, and before there is one as somebody", () => {
  const address = "192.0.2.7";
  const client = { cookies: null, address, limitedAs: address, userAgent: null, requestId: "r-1", waitSeconds: null };
  expect(clientActor(client, USER)).toMatchObject({ name: "Robin", userId: 5, address: "192.0.2.7", via: "portal" });
  expect(clientActor(client, null)).toMatchObject({ name: "Somebody", userId: null, requestId: "r-1" });
});
