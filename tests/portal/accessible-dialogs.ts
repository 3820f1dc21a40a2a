import { beforeAll, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { inviteAndSignIn, makePerson } from "../support/browser.ts";
import { deepTest } from "../support/deep-test.ts";
import { inGate } from "../support/depth.ts";
import { jpegPhoto } from "../support/photos.ts";
import { create, dealerBody, imageBody, keyBody, NORTH, NORTH_CAR, vehicleBody } from "../support/sample-records.ts";
import { type Examined, faultsOf } from "./axe.ts";

/** A key that expires soon. */
const KEY = "Price board";

/** Adds the tests that axe finds nothing in dialogs, menus and lists of suggestions. */
export const examineDialogs = (setup: Examined): void => {
  const { fixture, withAxe } = setup;
  let keyId = 0;
  beforeAll(async () => {
    const expires_at = fixture.service.after(5 * 86_400);
    keyId = (await create(fixture.api, "/api/keys", keyBody({ name: KEY, dealer_id: NORTH, expires_at }))).id;
  });

  test("axe finds nothing in dialogs and refused forms", async () => {
    await withAxe(setup.admin, async (visit) => {
      visit.expects("400 POST /portal/api/keys");
      await visit.go(`/keys/${keyId}`);
      const all = ["Edit", "Rotate", "Extend", "Revoke", "Delete"];
      // Those that ask alike are for the deep run.
      for (const action of inGate(["Edit", "Extend", "Delete"], all)) {
        await (action === "Edit" || action === "Rotate" ? visit.press(action) : visit.act(KEY, action));
        await visit.shows(visit.dialog(/./));
        expect([action, await faultsOf(visit)]).toEqual([action, []]);
        await visit.page.keyboard.press("Escape");
        await visit.hides(visit.dialog(/./));
      }
      await visit.go("/keys/new");
      await visit.press("Create the key");
      await visit.shows(visit.page.locator("[aria-invalid=true]").first());
      expect(await faultsOf(visit)).toEqual([]);
    });
  });

  deepTest("axe finds nothing in the dialog that schedules a change of a vehicle", async () => {
    await withAxe(setup.admin, async (visit) => {
      await visit.go(`/vehicles/${NORTH_CAR}`);
      await visit.press("Do it on Friday");
      await visit.shows(visit.dialog("Schedule a change"));
      expect(await faultsOf(visit)).toEqual([]);
    });
  });

  deepTest(
    "axe finds nothing in the dialog of a source, nor when another host needs its credentials again",
    async () => {
      const mapping = { name: "Their columns", dealer_id: NORTH, columns: { Chassis: "vin" } };
      const { id: mappingId } = await create(fixture.api, "/api/import-mappings", mapping);
      const { id } = await create(fixture.api, "/api/import-sources", {
        ...{ name: "Nightly file", dealer_id: NORTH, url: "https://files.example.com/lot.csv", schedule: "0 2 1 * *" },
        auth: { type: "basic", user: "lot", password: "quite secret" },
        options: { mode: "snapshot", mapping: mappingId, columns: { Notes: null } },
      });
      await withAxe(setup.admin, async (visit) => {
        visit.expects(`400 PUT /portal/api/import-sources/${id}`);
        await visit.go(`/imports/sources/${id}`);
        await visit.press("Edit");
        const dialog = visit.dialog("Edit Nightly file");
        const mappings = dialog.getByLabel("Mapping", { exact: true });
        await visit.shows(mappings);
        expect(await mappings.inputValue()).toBe(String(mappingId));
        expect(await faultsOf(visit)).toEqual([]);
        await visit.fill({ Address: "https://elsewhere.example.com/lot.csv" });
        await visit.press("Save");
        await visit.reads("Type the credentials again, or choose none: the address is on another host");
        expect(await faultsOf(visit)).toEqual([]);
      });
    },
  );

  deepTest("axe finds nothing while rows are selected, in the bulk question and in its results", async () => {
    const { email } = await makePerson(setup.admin, { name: "Ticked Example", dealer_id: NORTH });
    await withAxe(setup.admin, async (visit) => {
      const deactivate = { name: "Deactivate", exact: true } as const;
      await visit.go(`/users?q=${encodeURIComponent(email)}`);
      const steps: readonly (readonly [name: string, step: () => Promise<void>, shown: () => Locator])[] = [
        ["ticked", () => visit.click(visit.field("Select Ticked Example")), () => visit.section("Selected")],
        ["question", () => visit.press("Deactivate…"), () => visit.dialog("Deactivate 1 user?")],
        [
          "results",
          () => visit.click(visit.dialog(/./).getByRole("button", deactivate)),
          () => visit.dialog("1 user deactivated"),
        ],
      ];
      for (const [name, step, shown] of steps) {
        await step();
        await visit.shows(shown());
        expect([name, await faultsOf(visit)]).toEqual([name, []]);
      }
    });
  });

  deepTest("axe finds nothing in the menu of views, nor in the dialog that saves one", async () => {
    await withAxe(setup.admin, async (visit) => {
      const save = visit.page.getByRole("menuitem", { name: "Save this view…", exact: true });
      await visit.go("/keys?status=active");
      await visit.press("Views");
      await visit.shows(save);
      expect(await faultsOf(visit)).toEqual([]);
      await visit.click(save);
      await visit.shows(visit.dialog("Save this view"));
      expect(await faultsOf(visit)).toEqual([]);
    });
  });

  test("axe finds nothing in the search everywhere, nor in the choice of a dealer", async () => {
    await withAxe(setup.admin, async (visit) => {
      const option = visit.page.getByRole("listbox").getByRole("option").last();
      await visit.go("/users");
      for (const words of inGate(["s", "nothing-has-this-name"], ["", "s", "nothing-has-this-name"])) {
        await visit.press("Search everywhere");
        await visit.page.getByRole("combobox", { name: "Search everywhere" }).fill(words);
        await visit.shows(words.length > 1 ? visit.page.getByText("Nothing matches") : option);
        expect([words, await faultsOf(visit)]).toEqual([words, []]);
        await visit.page.keyboard.press("Escape");
        await visit.hides(visit.dialog(/./));
      }
      for (const words of inGate(["s"], ["s", "nothing-has-this-name"])) {
        await visit.fill({ Dealer: words });
        await visit.shows(option);
        expect([words, await faultsOf(visit)]).toEqual([words, []]);
      }
    });
  });

  deepTest("axe finds nothing in the bulk dialogs of keys, nor where they show secrets", async () => {
    for (const name of ["Turnstile in", "Turnstile out"])
      await create(fixture.api, "/api/keys", keyBody({ name, dealer_id: NORTH }));
    await withAxe(setup.admin, async (visit) => {
      const { page } = visit;
      const dialog = visit.dialog(/./);
      const passes = async (what: string): Promise<void> => {
        expect([what, await faultsOf(visit)]).toEqual([what, []]);
      };
      await visit.go("/keys?q=turnstile");
      await visit.shows(visit.link("Turnstile out"));
      await visit.field("Select all on this page").check();
      for (const action of ["Extend", "Revoke", "Rotate"]) {
        await visit.press(`${action}…`);
        await visit.shows(dialog);
        await passes(action);
        if (action !== "Rotate") await page.keyboard.press("Escape");
      }
      await visit.click(dialog.getByRole("button", { name: "Rotate" }));
      await visit.shows(visit.dialog("2 keys rotated"));
      await passes("results");
      await visit.press("Show the new secrets");
      await visit.shows(visit.dialog("The new secrets of 2 keys"));
      await passes("secrets");
    });
  });

  deepTest("axe finds nothing in the proposal of new secrets, nor in the dialog that shows them", async () => {
    const { id } = await makePerson(setup.admin, { dealer_id: NORTH });
    await create(fixture.api, "/api/keys", keyBody({ user_id: id }));
    await withAxe(setup.admin, async (visit) => {
      await visit.go(`/users/${id}`);
      await visit.press("Edit");
      await visit.choose("Dealer", "Southern Motors");
      await visit.shows(visit.field("End the present secret and make a new one"));
      expect(["proposed", await faultsOf(visit)]).toEqual(["proposed", []]);
      await visit.press("Save");
      await visit.shows(visit.dialog(/^The new secrets of/));
      expect(["shown", await faultsOf(visit)]).toEqual(["shown", []]);
    });
  });

  test("axe finds nothing in an edit conflict, in the question about unsaved changes, and in the renewal of a session", async () => {
    const { id } = await makePerson(setup.admin, { role: "super_admin", dealer_id: null });
    const car = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
    const path = `/portal/api/vehicles/${car.id}`;
    await withAxe(await inviteAndSignIn(fixture.service.url, setup.admin, id), async (visit) => {
      visit.expects(`412 PUT ${path}`, `401 PUT ${path}`, "401 GET /portal/api/session", "401 GET /portal/api/audit");
      // The new price is compared with those of its peers.
      visit.expects(`401 GET /portal/api/dealers/${NORTH}/vehicles`);
      await visit.go(`/vehicles/${car.id}`);
      await visit.press("Edit");
      await visit.fill({ Price: "21000", Trim: "XSE" });
      await setup.admin.send("PUT", path, { body: { price: 19_000, mileage: 20, trim: "SE" } });
      await visit.press("Save");
      await visit.reads(/^Changed by /);
      const steps = [
        ["a conflict", async () => {}],
        ["changes to be lost", () => visit.press("Cancel")],
        [
          "a session that ended",
          async () => {
            await visit.press("Keep editing");
            await setup.admin.send("DELETE", `/portal/api/users/${id}/sessions`);
            await visit.press("Save");
            await visit.shows(visit.dialog("Sign in again"));
          },
        ],
      ] as const;
      for (const [what, lead] of steps) {
        await lead();
        expect([what, await faultsOf(visit)]).toEqual([what, []]);
      }
    });
  });

  deepTest(
    "axe finds nothing in the question before a reversal, nor in its results and the list after it",
    async () => {
      const car = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
      await setup.admin.send("PUT", `/portal/api/vehicles/${car.id}`, { body: { trim: "SE", price: 19_000 } });
      await withAxe(setup.admin, async (visit) => {
        const passes = async (what: string): Promise<void> => {
          expect([what, await faultsOf(visit)]).toEqual([what, []]);
        };
        await visit.go(`/vehicles/changes?dealer_id=${NORTH}`);
        await visit.press(/^Revert: Edit of 1 vehicle: price, trim/);
        await visit.shows(visit.dialog("Revert this change?"));
        await passes("question");
        await visit.press("Revert");
        await visit.shows(visit.dialog("1 vehicle reverted"));
        await passes("results");
        await visit.press("Done");
        await visit.shows(visit.page.getByRole("row", { name: /^Reversal/ }));
        await passes("list");
      });
    },
  );

  deepTest("axe finds nothing in the drawer of vehicle filters", async () => {
    await withAxe(setup.admin, async (visit) => {
      await visit.drawPictures();
      await visit.go("/vehicles?make=Toyota");
      await visit.page.setViewportSize({ width: 375, height: 740 });
      await visit.press("Filters (1)");
      await visit.shows(visit.page.getByRole("button", { name: "Show the list" }));
      expect(["drawer", await faultsOf(visit, "narrow")]).toEqual(["drawer", []]);
    });
  });

  deepTest("axe finds nothing in the bulk dialogs of vehicles, nor in a list of suggestions", async () => {
    const dealer = await create(fixture.api, "/api/dealers", dealerBody());
    const car = await create(fixture.api, "/api/vehicles", vehicleBody(dealer.id));
    for (const name of ["front", "rear"])
      await create(
        fixture.api,
        `/api/vehicles/${car.id}/images`,
        imageBody({ image_url: `https://images.example.com/${name}.jpg` }),
      );
    await withAxe(setup.admin, async (visit) => {
      await visit.drawPictures();
      await visit.go(`/dealers/${dealer.id}`);
      const steps = [
        ["ticked", () => visit.click(visit.field("Select all on this page"))],
        [
          "prices asked",
          async () => {
            await visit.press("Price…");
            await visit.fill({ Percent: "3" });
            await visit.reads(/^from \$/);
          },
        ],
        [
          "asked",
          async () => {
            await visit.press("Cancel");
            await visit.press("Discard");
            await visit.press("Status…");
          },
        ],
        ["done", () => visit.press("Set the status").then(() => visit.shows(visit.dialog("1 vehicle sold")))],
        ["images", () => visit.go(`/vehicles/${car.id}`).then(() => visit.arrives("2024 Toyota Camry"))],
        ["sale", () => visit.press("Edit the sale")],
        [
          "words",
          async () => {
            await visit.press("Cancel");
            await visit.press("Edit");
            await visit.click(visit.field("Fuel type"));
            await visit.shows(visit.page.getByRole("option", { name: "diesel" }));
          },
        ],
      ] as const;
      for (const [what, lead] of steps) {
        await lead();
        expect([what, await faultsOf(visit)]).toEqual([what, []]);
      }
    });
  });

  deepTest("axe finds nothing in photos on their way, in the whole window, and in what changes them", async () => {
    const dealer = await create(fixture.api, "/api/dealers", dealerBody());
    const car = await create(fixture.api, "/api/vehicles", vehicleBody(dealer.id));
    const photos = await Promise.all(
      [61, 62].map(async (width) => ({
        name: `${width}.jpg`,
        mimeType: "image/jpeg",
        buffer: await jpegPhoto(width, 48, width),
      })),
    );
    const refused = { name: "notes.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no photo") };
    await withAxe(setup.admin, async (visit) => {
      visit.expects(`415 POST /portal/api/vehicles/${car.id}/images`);
      await visit.go(`/vehicles/${car.id}`);
      await visit.shows(visit.button("Choose photos"));
      await visit.page.locator("input[type=file][multiple]").setInputFiles([...photos, refused]);
      await visit.reads("2 photos added.");
      await visit.reads(/^Not taken: /);
      expect(["refused", await faultsOf(visit)]).toEqual(["refused", []]);
      for (const [button, dialog] of [
        ["Show in the whole window", "Image 1 of 2"],
        ["Edit image 1", "Edit this image"],
        ["Delete image 2", "Delete this image?"],
        ["Add by address", "Add an image by its address"],
      ] as const) {
        await visit.press(button);
        await visit.shows(visit.dialog(dialog));
        expect([dialog, await faultsOf(visit)]).toEqual([dialog, []]);
        await visit.page.keyboard.press("Escape");
        await visit.hides(visit.dialog(dialog));
      }
    });
  });
};
