import { describe, expect, test } from "bun:test";
import { bodyOfDealer, draftOfDealer, issuesOfNetworks } from "../../../adapters/portal/dealers/dealer-draft.ts";
import { bodyOf, draftOf, emptyKey } from "../../../adapters/portal/keys/key-draft.ts";
import { endOfDate } from "../../../adapters/portal/times/dates.ts";
import { bodyOfUser, draftOfUser, emptyUser } from "../../../adapters/portal/users/user-draft.ts";
import { type Dealer, NewDealer } from "../../../core/dealers/dealer.ts";
import { NewKey, type PresentedKey } from "../../../core/keys/key.ts";
import { type PermissionPair, setOfPairs } from "../../../core/permissions.ts";
import { NewUser, type PresentedUser } from "../../../core/users/user.ts";
import { dealerFields } from "../../support/records.ts";

const AT = "2026-11-20T09:00:00.000Z";
const READ_KEYS = { resource: "keys", action: "read" } as const;
const READ_VEHICLES = { resource: "vehicles", action: "read" } as const;

const creator = (...permissions: PermissionPair[]): PresentedUser => ({
  id: 2,
  name: "Kim Example",
  email: "kim@example.com",
  role: "dealer_admin",
  dealer_id: 7,
  permissions,
  active: true,
  invited: false,
  created_at: AT,
  updated_at: AT,
});

describe("a form for a new record starts with the usual permissions that its creator has:", () => {
  for (const [held, key, user] of [
    [[], [], []],
    [[READ_KEYS], [], [READ_KEYS]],
    [[READ_VEHICLES], [READ_VEHICLES], [READ_VEHICLES]],
    [[READ_KEYS, READ_VEHICLES], [READ_VEHICLES], [READ_KEYS, READ_VEHICLES]],
  ] as const)
    test(`held ${held.map(({ resource }) => resource).join(" and ") || "nothing"}`, () => {
      const maker = creator(...held);
      expect(emptyKey(maker).permissions).toBe(setOfPairs(key));
      expect(emptyUser(maker).permissions).toBe(setOfPairs(user));
    });
});

const DEALER: Dealer = {
  id: 7,
  ...dealerFields({
    website: "https://harbor.example.com",
    logo_url: "https://harbor.example.com/logo.png",
    description: "At the quay",
    hours: { monday: "9:00-18:00", sunday: "closed" },
    social_media: { mastodon: "https://social.example.com/@harbor" },
  }),
};

const key = (fields: Partial<PresentedKey>): PresentedKey => ({
  id: 3,
  name: "Showroom website",
  description: "Behind the showroom",
  app_type: "mobile",
  app_id: "showroom-site",
  key_start: "mobile_showroom-site_abcd",
  association: "none",
  dealer_id: null,
  user_id: null,
  bound_dealer_id: null,
  permissions: [READ_VEHICLES],
  rate_limit: 250,
  effective_rate_limit: 250,
  public: true,
  allowed_origins: ["https://www.harbor.example.com", "http://localhost:3000"],
  allowed_networks: ["203.0.113.0/24", "2001:db8::/32"],
  owner_email: "owner@harbor.example.com",
  disabled_reason: null,
  idle_ends_at: null,
  active: true,
  expires_at: endOfDate("2099-01-01"),
  last_used_at: AT,
  grace_until: null,
  grace_key_start: null,
  grace_last_used_at: null,
  grace_uses_today: null,
  created_at: AT,
  updated_at: AT,
  ...fields,
});

/** Forms do not deactivate or reactivate a record: buttons do. */
const APART = "active";

describe("the form of an existing record sends every field that can be sent, as it was:", () => {
  for (const [title, record, body, { properties }, ...others] of [
    ["a dealer", DEALER, bodyOfDealer(draftOfDealer(DEALER)), NewDealer],
    ["a user", creator(READ_KEYS), bodyOfUser(draftOfUser(creator(READ_KEYS)), true), NewUser],
    // The association follows from the dealer and the user.
    ["a key", key({}), bodyOf(draftOf(key({})), null), NewKey, "association"],
    [
      "a key of a dealer",
      key({ association: "dealer", dealer_id: 7 }),
      bodyOf(draftOf(key({ association: "dealer", dealer_id: 7 })), null),
      NewKey,
      "association",
    ],
    [
      "a key of a user, which has no permissions of its own",
      key({ association: "user", user_id: 2 }),
      bodyOf(draftOf(key({ association: "user", user_id: 2 })), null),
      NewKey,
      "association",
      "permissions",
    ],
  ] as const)
    test(title, () => {
      const left: readonly string[] = [APART, ...others];
      const sent = Object.keys(properties).filter((field) => !left.includes(field));
      const values: Readonly<Record<string, unknown>> = { ...record };
      expect(body).toEqual(Object.fromEntries(sent.map((field) => [field, values[field]])) as typeof body);
    });
});

test("of two social networks with the same name, only the second gets an issue", () => {
  const networks = ["mastodon", "", "Mastodon", "mastodon", ""].map((name, id) => ({ id, name, url: "" }));
  expect(issuesOfNetworks({ ...draftOfDealer(DEALER), networks }).map(({ path }) => path)).toEqual(["network-3"]);
  expect(issuesOfNetworks(draftOfDealer(DEALER))).toEqual([]);
});
