import { expect, test } from "bun:test";
import { NewDealer } from "../../../core/dealers/dealer.ts";
import { NewKey } from "../../../core/keys/key.ts";
import { NewUser } from "../../../core/users/user.ts";
import type { Journeys } from "./journey-context.ts";

/** Fields that forms have no single input for: permissions are a matrix, and records are ended by a button. */
const NO_INPUT = ["permissions", "active"];

/** Each form of a new record, the fields that its request may have, and choices that show more inputs. */
const FORMS = [
  ["/dealers/new", NewDealer, []],
  ["/users/new", NewUser, []],
  [
    "/keys/new",
    NewKey,
    [
      ["Association", "Dealer"],
      ["Association", "User"],
    ],
  ],
] as const;

/** Forms of new records. */
export const formJourneys: Journeys = (context) => {
  for (const [path, { properties }, choices] of FORMS)
    test(`the form at ${path} has an input for every field that can be sent`, async () => {
      await context().visit(context().admin, async (visit) => {
        await visit.go(path);
        await visit.shows(visit.page.locator("form [name=name]"));
        if (path === "/dealers/new") await visit.press("Add a network");
        const inputs = new Set<string>();
        const look = async (): Promise<void> => {
          for (const input of await visit.page.locator("form [name]").all()) {
            const [field = ""] = ((await input.getAttribute("name")) ?? "").split(".");
            inputs.add(field);
          }
        };
        await look();
        for (const [label, option] of choices) {
          await visit.choose(label, option);
          await look();
        }
        const sent = Object.keys(properties).filter((field) => !NO_INPUT.includes(field));
        expect(sent.filter((field) => !inputs.has(field))).toEqual([]);
      });
    });
};
