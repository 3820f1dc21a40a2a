import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../../support/eventually.ts";
import type { Visit } from "../../support/portal.ts";
import type { Journeys } from "./journey-context.ts";

const IMAGES = ["front", "side", "rear"].map((name) => `https://images.example.com/${name}.jpg`);

/** Waits until these images are shown in this order, with the primary one starred. */
const areShown = ({ page }: Visit, expected: readonly string[]): Promise<unknown> =>
  eventually(
    async () => {
      const rows = await page.locator("ol.images > li").allTextContents();
      return rows.map((row) => `${/https:\S+?\.jpg/.exec(row)?.[0]}${row.includes("Primary image") ? "*" : ""}`).join();
    },
    (shown) => shown === expected.join(),
  );

/** Presses a button of the page or a dialog, and waits for the expected images. */
const pressAndExpect = async (
  visit: Visit,
  button: string,
  expected: readonly string[],
  within: Page | Locator = visit.page,
): Promise<void> => {
  await visit.click(within.getByRole("button", { name: button, exact: true }));
  await areShown(visit, expected);
};

/** Dealers, their vehicles and the vehicles' images. */
export const inventoryJourneys: Journeys = (context) => {
  test("a dealer and a vehicle with images are added and changed; refused input stays in the form", async () => {
    await context().visit(context().admin, async (visit) => {
      await visit.go("/dealers");
      await visit.follow("Add a dealer");
      visit.expects("400 POST /portal/api/dealers", "400 POST /portal/api/vehicles");
      await visit.fill({ Name: "Quay Motors", "Street address": "1 Quay Street", City: "Portland", State: "OR" });
      await visit.fill({ Phone: "503-555-0100", Email: "sales@quay.example.com", Website: "quay.example.com" });
      await visit.press("Add the dealer");
      await visit.shows(visit.page.locator("[aria-invalid=true][name=website]"));
      expect(await visit.page.locator("[aria-invalid=true]").count()).toBe(2);
      expect(await visit.field("Website").inputValue()).toBe("quay.example.com");
      await visit.fill({ "ZIP or postal code": "97201", Website: "https://quay.example.com" });
      for (const place of [1, 2]) {
        await visit.press("Add a network");
        await visit.fill({ [`Network ${place}`]: "mastodon", [`Address ${place}`]: "https://social.example.com" });
      }
      await visit.press("Add the dealer");
      await visit.shows(visit.field("Network 2").and(visit.page.locator("[aria-invalid=true]")));
      await visit.reads("Another network has this name");
      await visit.press("Remove network 2");
      await visit.press("Add the dealer");
      await visit.arrives("Quay Motors");

      await visit.follow("Add a vehicle");
      await visit.fill({ Make: "Toyota", Model: "Camry", Year: "1700", Price: "25 thousand" });
      await visit.press("Add the vehicle");
      await visit.shows(visit.page.locator("[aria-invalid=true][name=year]"));
      await visit.reads(/1886/);
      expect(await visit.field("Year").inputValue()).toBe("1700");
      expect(await visit.field("Price").inputValue()).toBe("25 thousand");
      await visit.fill({ Year: "2024", Price: "25999.99" });
      await visit.press("Add the vehicle");
      await visit.arrives("2024 Toyota Camry");

      await visit.drawPictures();
      for (const [index, url] of IMAGES.entries()) {
        await visit.press("Add by address");
        await visit.fill({ "Address of the image": url });
        await visit.press("Add the image");
        await visit.shows(visit.page.locator("ol.images > li").nth(index));
      }
      const [front, side, rear] = IMAGES;
      await areShown(visit, [`${front}*`, `${side}`, `${rear}`]);
      await pressAndExpect(visit, "Move image 3 up", [`${front}*`, `${rear}`, `${side}`]);
      await pressAndExpect(visit, "Make primary: image 2", [`${front}`, `${rear}*`, `${side}`]);
      await visit.press("Delete image 2");
      await pressAndExpect(visit, "Delete", [`${front}*`, `${side}`], visit.dialog("Delete this image?"));
      // The primary image comes first; arrow keys show the others and wrap around.
      const shown = visit.page.getByRole("img", { name: /^2024 Toyota Camry, image/ });
      expect(await shown.getAttribute("src")).toBe(front ?? "");
      await visit.button("Next image").focus();
      await visit.page.keyboard.press("ArrowRight");
      await visit.reads("2 of 2");
      expect(await shown.getAttribute("src")).toBe(side ?? "");
      await visit.page.keyboard.press("ArrowRight");
      await visit.reads("1 of 2 · primary");
      await visit.press("Edit image 2");
      await visit.fill({ Address: `${rear}` });
      await pressAndExpect(visit, "Save", [`${front}*`, `${rear}`]);
      // The vehicle's history contains the changes of its images.
      await visit.shows(visit.section("Audit trail").getByText("A photo was changed").first());
      await visit.press("Status of 2024 Toyota Camry: Available");
      await visit.click(visit.page.getByRole("menuitem", { name: "Sold…" }));
      await visit.press("Price later");
      await visit.reads("2024 Toyota Camry is sold, without a price yet.");
      await visit.click(visit.link("Quay Motors"));
      await visit.arrives("Quay Motors");
      const row = visit.page.getByRole("table", { name: "Vehicles" }).getByRole("row").nth(1);
      await visit.shows(row.getByRole("button", { name: "Status of 2024 Toyota Camry: Sold" }));
      await visit.shows(row.locator("img"));
      await visit.choose("Status", "available");
      await visit.arrives("No vehicle matches");
      await visit.press("Clear filters");
      await visit.follow("2024 Toyota Camry");
      await visit.arrives("2024 Toyota Camry");
      await visit.press("Actions for 2024 Toyota Camry");
      await visit.click(visit.page.getByRole("menuitem", { name: "Delete…" }));
      await visit.click(visit.dialog("Delete 2024 Toyota Camry?").getByRole("button", { name: "Delete" }));
      await visit.reads("2024 Toyota Camry is deleted.");
      await visit.arrives("No vehicles yet");
    });
  });
};
