import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
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

/** In how many columns the first two fields of a form stand, for each width of the window. */
const columnsAt = async (page: Page, widths: readonly number[]): Promise<readonly number[]> => {
  const usual = page.viewportSize() ?? { width: 1440, height: 900 };
  const columns: number[] = [];
  for (const width of widths) {
    await page.setViewportSize({ ...usual, width });
    const tops = await Promise.all(["name", "address"].map((name) => page.locator(`[name=${name}]`).boundingBox()));
    columns.push(tops[0]?.y === tops[1]?.y ? 2 : 1);
  }
  await page.setViewportSize(usual);
  return columns;
};

/** Forms of new records. */
export const formJourneys: Journeys = (context) => {
  for (const [path, { properties }, choices] of FORMS)
    test(`the form at ${path} has an input for every field that can be sent`, async () => {
      await context().visit(context().admin, async (visit) => {
        await visit.go(path);
        await visit.shows(visit.page.locator("form [name=name]"));
        if (path === "/dealers/new") {
          expect(await columnsAt(visit.page, [1440, 1024, 390])).toEqual([2, 1, 1]);
          await visit.press("Add a network");
        }
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
