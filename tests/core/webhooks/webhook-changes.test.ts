import { expect, test } from "bun:test";
import { Failure } from "../../../core/failure.ts";
import { webhookChanged, webhookEnabled } from "../../../core/webhooks/webhook-changes.ts";
import type { StoredWebhook } from "../../../core/webhooks/webhook-repository.ts";
import { dealerKey, superAdminKey } from "../callers.ts";
import { causeOf, succeeded } from "../use-cases.ts";

const STORED: StoredWebhook = {
  dealerId: 1,
  url: "https://hooks.example.com/stock",
  events: ["vehicle.updated"],
  description: "Their shop",
  max_per_second: 10,
  active: true,
  endedBy: null,
  disabledReason: null,
};
const off: StoredWebhook = { ...STORED, active: false, endedBy: "super_admin", disabledReason: "failing" };
const refused = new Failure({ kind: "target-refused", issue: { path: "url", message: "is refused" } });
const by = superAdminKey();

test("a webhook keeps what was not sent, and its address even where it would be refused by now", () => {
  const changed = succeeded(webhookChanged(STORED, { max_per_second: 3 }, { by, targetFailure: () => refused }));
  const { url, events, description, active } = STORED;
  expect(changed).toEqual({ url, events, description, active, max_per_second: 3, endedBy: null });
  const moved = { url: "https://elsewhere.example.com" };
  expect(webhookChanged(STORED, moved, { by, targetFailure: () => refused })).toBe(refused);
  expect(succeeded(webhookChanged(STORED, moved, { by, targetFailure: () => null })).url).toBe(moved.url);
});

test("the rank that switched it off is kept, and only that one or a higher one switches it on", () => {
  const targetFailure = () => null;
  const change = (stored: StoredWebhook, active: boolean, caller = by) =>
    webhookChanged(stored, { active }, { by: caller, targetFailure });
  expect(succeeded(change(STORED, false, dealerKey(1))).endedBy).toBe("dealer_admin");
  expect(causeOf(change(off, true, dealerKey(1)))?.kind).toBe("escalation");
  expect(causeOf(webhookEnabled(off, dealerKey(1)))?.kind).toBe("escalation");
  for (const on of [change(off, true), webhookEnabled(off, by)])
    expect(succeeded(on)).toMatchObject({ active: true, endedBy: null });
});
