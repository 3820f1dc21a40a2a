import { expect, test } from "bun:test";
import { deepTest } from "../../support/deep-test.ts";
import type { Visit } from "../../support/portal.ts";
import { NORTH } from "../../support/sample-records.ts";
import type { Journeys } from "./journey-context.ts";

const TECHNICAL = /NUL|surrogate|null|\bmust\b|_|9007199254740991|2147483647/i;

/** Types a text into every text field and choice of the form on the page, in the page itself. */
const fillAll = ({ page }: Visit, text: string): Promise<void> =>
  page.evaluate<void>(`
    for (const input of document.querySelectorAll("form [name]:is(input, textarea):not([type=checkbox], [type=date])")) {
      // React learns of a change only past what it puts over the property.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), "value").set.call(input, ${JSON.stringify(text)});
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }`);

/** The messages at the form's fields and in the list above them. */
const faults = ({ page }: Visit): Promise<string[]> =>
  page.locator("form .mantine-InputWrapper-error, form [data-refusal]").allTextContents();

const REFUSED = {
  vehicles: [`/dealers/${NORTH}/vehicles/new`, "Add the vehicle"],
  dealers: ["/dealers/new", "Add the dealer"],
  keys: ["/keys/new", "Create the key"],
  users: ["/users/new", "Invite"],
} as const;

/** The messages of forms about input, and how forms read numbers. */
export const wordJourneys: Journeys = (context) => {
  // The gate asks the shortest: the words of each field are proved by field-words.test.ts.
  for (const [resource, [path, submit]] of Object.entries(REFUSED))
    (resource === "dealers" ? test : deepTest)(
      `the form at ${path} explains empty, long and wrong values without technical terms`,
      async () => {
        await context().visit(context().admin, async (visit) => {
          visit.expects(`400 POST /portal/api/${resource}`);
          await visit.go(path);
          await visit.shows(visit.button(submit));
          for (const text of ["", "x".repeat(2_100), "-1"]) {
            await fillAll(visit, text);
            const answered = visit.page.waitForResponse((response) => response.request().method() === "POST");
            await visit.press(submit);
            await answered;
            await visit.hides(visit.page.locator("form button[data-loading]"));
            const said = await faults(visit);
            expect(said.length).toBeGreaterThan(0);
            expect(said.filter((words) => TECHNICAL.test(words))).toEqual([]);
            if (text === "") expect(said.some((words) => /^(?:Enter|Choose) an? /.test(words))).toBe(true);
            if (text.length > 100) expect(said).toContain("Up to 100 characters");
          }
        });
      },
    );

  deepTest("prices and mileages are read as users type them in the browser's language", async () => {
    await context().load(
      context().admin,
      async (visit) => {
        await visit.go(`/dealers/${NORTH}/vehicles/new`);
        await visit.fill({ Make: "Toyota", Model: "Yaris", Year: "2024", Price: "25999,99", Mileage: "12.500" });
        await visit.press("Add the vehicle");
        await visit.arrives("2024 Toyota Yaris");
        const id = Number(new URL(visit.page.url()).pathname.split("/").at(-1));
        const { body } = await visit.ask("GET", `/vehicles/${id}`);
        expect(body).toMatchObject({ price: 25999.99, mileage: 12500 });
        await visit.press("Edit");
        await visit.shows(visit.field("Price"));
        expect(await visit.field("Price").inputValue()).toBe("25999,99");
        expect(await visit.field("Mileage").inputValue()).toBe("12500");
      },
      { locale: "de-DE" },
    );
  });
};
