import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { EVERY_PERMISSION } from "../../../core/permissions.ts";
import { DEFAULT_SETTINGS, SETTINGS_READ_ONLY, SettingsChanges } from "../../../core/settings/installation.ts";
import { settingsChanged } from "../../../core/settings/settings.ts";
import { allBut, dealerKey, superAdminKey, userKey } from "../callers.ts";
import { causeOf, openUseCases, pathsOf, succeeded, type UseCases } from "../use-cases.ts";

const ESCALATION = { kind: "escalation", reason: "Only a super-admin may do this" };
/** How every PNG begins. */
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const PNG = "data:image/png;base64,iVBORw0KGgo=";

let core: UseCases;
beforeAll(async () => {
  core = await openUseCases();
});
afterAll(() => core.db.close());

const change = (input: unknown, caller = superAdminKey()) => core.settings.update(caller, { input });

describe("the settings", () => {
  test("have their defaults until somebody changes them", async () => {
    expect(succeeded(await core.settings.read(superAdminKey()))).toEqual(DEFAULT_SETTINGS);
  });

  for (const [name, caller] of [
    ["a dealer's key", dealerKey(7, { permissions: 0 })],
    ["a user without a dealer", userKey("user", null, { permissions: 0 })],
    ["a super-admin's key without any permission", superAdminKey({ permissions: 0 })],
  ] as const)
    test(`are read by ${name}`, async () => {
      expect(causeOf(await core.settings.read(caller))).toBeNull();
    });

  for (const [name, caller, cause] of [
    ["a super-admin key with every permission", superAdminKey(), null],
    ["a super-admin user", userKey("super_admin", null), null],
    [
      "a super-admin key that may change no users",
      superAdminKey({ permissions: allBut("users:write") }),
      { kind: "permission-missing", needs: "users:write" },
    ],
    ["a dealer's key with every permission", dealerKey(7, { permissions: EVERY_PERMISSION }), ESCALATION],
    ["a dealer's admin", userKey("dealer_admin", 7), ESCALATION],
    ["a user without a dealer", userKey("user", null, { permissions: EVERY_PERMISSION }), ESCALATION],
  ] as const)
    test(`are ${cause === null ? "changed" : "not changed"} by ${name}`, async () => {
      expect<unknown>(causeOf(await change({ name: "Harbor" }, caller))).toEqual(cause);
    });

  for (const [field, accepted, refused] of [
    ["name", ["Harbor", "x".repeat(100)], ["", " ", "x".repeat(101), 5, null]],
    ["currency", ["EUR", "JPY", "USD"], ["eur", "EURO", "ZZQ", "", 978, null]],
    ["distance_unit", ["mi", "km"], ["miles", "", 1, null]],
    ["resale_days", [0, 14, 3650], [-1, 3651, 1.5, "14", null]],
    [
      "time_zone",
      ["Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", null],
      ["Mars/Olympus", "+01:00", "Europe/Berlin ", "", 1],
    ],
    [
      "logo",
      [PNG, "data:image/jpeg;base64,/9j/4A==", "data:image/webp;base64,UklGRiQAAABXRUJQVlA4", null],
      [
        "https://www.example.com/logo.png",
        "data:image/svg+xml;base64,PHN2Zz4=",
        "data:image/png;base64,PHN2Zz4=",
        "data:image/png;base64,iVBORw0KGgo<script>",
        "data:image/png;base64,iVBORw0KGgo=\n",
        `data:image/png;base64,iVBORw0KGgo${"A".repeat(88_000)}`,
        "data:text/html;base64,iVBORw0KGgo=",
        "",
        1,
      ],
    ],
  ] as const)
    test(`accept every valid ${field}, and name an invalid one`, async () => {
      for (const value of accepted) {
        expect<unknown>(succeeded(await change({ [field]: value }))[field]).toBe(value);
        expect<unknown>(succeeded(await core.settings.read(superAdminKey()))[field]).toBe(value);
      }
      for (const value of refused)
        expect<unknown>([value, pathsOf(await change({ [field]: value }))]).toEqual([value, [field]]);
    });

  test("accept owners of the fields of vehicles, and name others", async () => {
    const owners = { description: "file", price: "hand", images: "file" } as const;
    expect(succeeded(await change({ field_owners: owners })).field_owners).toEqual(owners);
    expect(succeeded(await core.settings.read(superAdminKey())).field_owners).toEqual(owners);
    for (const wrong of [{ price: "me" }, { nothing: "file" }, { id: "file" }, [], "file", null])
      expect([wrong, pathsOf(await change({ field_owners: wrong }))?.[0]?.split(".")[0]]).toEqual([
        wrong,
        "field_owners",
      ]);
    expect(succeeded(await change({ field_owners: {} })).field_owners).toEqual({});
  });

  test("accept a logo of up to 64 kB", async () => {
    const logo = (bytes: number) => `data:image/png;base64,${Buffer.concat([SIGNATURE], bytes).toString("base64")}`;
    succeeded(await change({ logo: logo(65_536) }));
    expect(pathsOf(await change({ logo: logo(65_539) }))).toEqual(["logo"]);
  });

  test("keep what a change does not name, and increase their version with each change", async () => {
    const before = succeeded(await change({ name: "Harbor", currency: "EUR", logo: PNG }));
    const after = succeeded(await change({ distance_unit: "km" }));
    expect(after).toEqual({ ...before, distance_unit: "km", updated_at: after.updated_at });
    expect(after.updated_at > before.updated_at).toBe(true);
  });

  test("accept a change that sends back what was read, but not one without a field", async () => {
    const read = succeeded(await core.settings.read(superAdminKey()));
    expect({ ...succeeded(await change(read)), updated_at: "" }).toEqual({ ...read, updated_at: "" });
    expect(pathsOf(await change({}))).toEqual([""]);
  });

  test("are changed only at the named version", async () => {
    const { updated_at } = succeeded(await change({ name: "Harbor" }));
    const at = (version: string) =>
      core.settings.update(superAdminKey(), { input: { name: "Quay" }, versions: [version] });
    expect(causeOf(await at(DEFAULT_SETTINGS.updated_at))).toEqual({ kind: "stale", subject: "settings" });
    expect(succeeded(await at(updated_at)).name).toBe("Quay");
  });

  test("are decided of those that are there: what was not sent stays, and only a version that is named is changed", () => {
    const present = { ...DEFAULT_SETTINGS, name: "Harbor", updated_at: "2026-01-02T00:00:00.000Z" };
    const sent = { currency: "EUR", time_zone: null } as const;
    const decided = succeeded(settingsChanged(present, sent, [present.updated_at]));
    expect(decided).toEqual({ after: { ...present, ...sent }, sent: ["currency", "time_zone"] });
    expect(succeeded(settingsChanged(present, sent, null))).toEqual(decided);
    expect(causeOf(settingsChanged(present, sent, [DEFAULT_SETTINGS.updated_at]))?.kind).toBe("stale");
  });

  test("have their changes audited: only what was sent, and a logo by its kind and size", async () => {
    succeeded(await change({ name: "Harbor", logo: null }));
    succeeded(await change({ name: "Quay", logo: PNG }));
    const { items } = succeeded(await core.audit.list(superAdminKey(), { action: "settings.changed", limit: 1 }));
    expect([...items][0]).toMatchObject({
      resource: "settings",
      resource_id: null,
      dealer_id: null,
      before: { name: "Harbor", logo: null },
      after: { name: "Quay", logo: "image/png, 8 bytes" },
    });
  });

  test("for people who have not signed in are the name and the logo", async () => {
    succeeded(await change({ name: "Quay", logo: PNG }));
    expect(await core.settings.branding()).toEqual({ name: "Quay", logo: PNG });
  });

  test("have exactly the fields that are tested here", () => {
    expect([...Object.keys(SettingsChanges.properties), ...SETTINGS_READ_ONLY].sort()).toEqual(
      Object.keys(DEFAULT_SETTINGS).sort(),
    );
  });
});
