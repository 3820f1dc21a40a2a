import { describe, expect, test } from "bun:test";
import { actionInWords } from "../../../adapters/portal/audit/action-words.ts";

import { withDenialsTogether } from "../../../adapters/portal/audit/repeated-denials.ts";
import { AUDIT_ACTIONS } from "../../../core/audit/audit.ts";
import type { AuditEntry } from "../../../core/audit/audit-entry.ts";

let entries = 0;
const entry = (at: string, actor: Partial<AuditEntry["actor"]> = {}, action = "access.denied") =>
  ({ id: ++entries, at: `2026-11-27T${at}:00.000Z`, action, actor: { type: "key", id: 1, ...actor } }) as AuditEntry;

describe("the rows of the audit log", () => {
  test("have the denials of one key in one hour together, where the newest of them was, and nothing else", () => {
    const [newest, change, other, older, before] = [
      entry("09:50"),
      entry("09:40", {}, "vehicle.created"),
      entry("09:30", { id: 2 }),
      entry("09:00"),
      entry("08:59"),
    ];
    const ofPeople = [entry("08:10", { type: "user" }), entry("08:05", { type: "user" })];
    expect(withDenialsTogether([newest, change, other, older, before, ...ofPeople])).toEqual([
      { denials: [newest, older] },
      change,
      other,
      before,
      ...ofPeople,
    ]);
  });

  test("say each action in words, none twice", () => {
    const words = AUDIT_ACTIONS.map(actionInWords);
    expect(new Set(words).size).toBe(words.length);
    for (const said of words) expect(said).toMatch(/^[A-Z][a-z '-]+$/);
    expect(words).toContain("The invitation was used");
    expect(words).toContain("The vehicle's price was changed");
  });
});
