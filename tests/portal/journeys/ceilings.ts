import { expect, test } from "bun:test";
import type { Visit } from "../../support/portal.ts";
import { NORTH } from "../../support/sample-records.ts";
import { pairs } from "../../support/service.ts";
import { type Journeys, signedInUser } from "./journey-context.ts";

/** This admin's permissions: fewer than the role usually has, so that presets exceed them. */
const HELD = ["vehicles:read", "dealers:read", "keys:read", "keys:write", "users:read", "users:write"] as const;

const words = (permission: string): string => permission.replace(":", ": ");

/** The labels of the matrix's boxes in this state. */
const boxes = (visit: Visit, is: "checked" | "enabled"): Promise<string[]> =>
  visit.page
    .getByRole("checkbox", { name: /^\w+: \w+$/, ...(is === "checked" ? { checked: true } : { disabled: false }) })
    .evaluateAll((found: { getAttribute(name: string): string | null }[]) =>
      found.map((box) => box.getAttribute("aria-label") ?? "").sort(),
    );

const expectBoxes = async (visit: Visit, checked: readonly string[]): Promise<void> => {
  expect(await boxes(visit, "checked")).toEqual(checked.map(words).sort());
  expect(await boxes(visit, "enabled")).toEqual([...HELD].map(words).sort());
};

/** Tests that the forms never let an admin hand out more than they hold. */
export const ceilingJourneys: Journeys = (context) => {
  test("boxes and presets offer an admin only the admin's own permissions for keys and users", async () => {
    const fields = { role: "dealer_admin", dealer_id: NORTH, permissions: pairs(...HELD) };
    const { session } = await signedInUser(context(), fields);
    await context().visit(session, async (visit) => {
      await visit.go("/keys/new");
      await visit.arrives("Create a key");
      await expectBoxes(visit, ["vehicles:read"]);
      for (const [type, given] of [
        ["desktop", ["vehicles:read", "dealers:read"]],
        ["web", ["vehicles:read"]],
        ["mobile", ["vehicles:read", "dealers:read"]],
      ] as const) {
        await visit.choose("App type", type);
        await expectBoxes(visit, given);
      }
      const presets = visit.page.getByRole("group", { name: "Presets" });
      for (const [preset, given] of [
        ["none", []],
        ["desktop", ["vehicles:read", "dealers:read"]],
        ["none", []],
        ["mobile", ["vehicles:read", "dealers:read"]],
        ["web", ["vehicles:read"]],
      ] as const) {
        await visit.click(presets.getByRole("button", { name: preset }));
        await expectBoxes(visit, given);
      }

      await visit.go("/users/new");
      await visit.arrives("Invite a user");
      await expectBoxes(visit, ["vehicles:read", "dealers:read", "keys:read"]);
      await visit.choose("Role", "dealer_admin");
      await expectBoxes(visit, HELD);
      await visit.field(words("users:write")).uncheck();
      await visit.press("Usual permissions of the role");
      await expectBoxes(visit, HELD);
    });
  });
};
