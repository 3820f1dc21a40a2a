import { describe, expect, test } from "bun:test";
import { problemOf } from "../../../../adapters/http/protocol/problem.ts";
import { Failure, type FailureCause } from "../../../../core/failure.ts";

// [cause, the sentence for an API key, the sentence for an account in the portal].
const SENTENCES: readonly (readonly [FailureCause, key: string, account: string])[] = [
  [
    { kind: "reassignment" },
    "The API key is bound to a dealer, so it cannot reassign vehicles",
    "Your account belongs to a dealer, so it cannot reassign vehicles",
  ],
  [
    { kind: "foreign", subject: "vehicle" },
    "The vehicle does not belong to the API key's dealer",
    "The vehicle does not belong to your dealer",
  ],
  [
    { kind: "permission-missing", needs: "keys:read" },
    "The API key lacks the permission keys:read",
    "Your account lacks the permission keys:read",
  ],
  [
    { kind: "never-for-bound-keys" },
    "API keys that are bound to a dealer may not do this",
    "Accounts that belong to a dealer may not do this",
  ],
  [
    { kind: "never-for-public-keys" },
    "The API key is public, and this is not for everybody who sees a page",
    "Your account is public, and this is not for everybody who sees a page",
  ],
];

describe("a refusal is worded for a key or for an account", () => {
  for (const [cause, key, account] of SENTENCES)
    test(`for ${cause.kind}`, () => {
      const of = (audience: "key" | "account") => problemOf(new Failure(cause), audience);
      expect([of("key").sentence, of("account").sentence]).toEqual([key, account]);
      expect([of("key").status, of("account").status]).toEqual([403, 403]);
    });
});

test("a record that is not found is called what people call it", () => {
  const of = (subject: "vehicle" | "schedule") =>
    problemOf(new Failure({ kind: "not-found", subject, id: 100 }), "key");
  expect([of("vehicle").sentence, of("schedule").sentence]).toEqual([
    "Vehicle 100 not found",
    "Scheduled change 100 not found",
  ]);
});
