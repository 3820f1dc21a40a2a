import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { deepTest } from "../../support/deep-test.ts";
import { eventually } from "../../support/eventually.ts";
import { jpegPhoto, phonePhoto, signpost } from "../../support/photos.ts";
import type { Visit } from "../../support/portal.ts";
import { create, dealerBody, imageBody, vehicleBody } from "../../support/sample-records.ts";
import type { JourneyContext, Journeys } from "./journey-context.ts";

interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const UPLOADS = /\/portal\/api\/vehicles\/\d+\/images$/;

/** Photos whose widths say which is which. */
const photosOf = (widths: readonly number[]): Promise<ChosenFile[]> =>
  Promise.all(
    widths.map(async (width) => ({
      name: `${width}.jpg`,
      mimeType: "image/jpeg",
      buffer: await jpegPhoto(width, 48, width),
    })),
  );

/** A file as an iPhone saves photos. */
const HEIC: ChosenFile = {
  name: "IMG_0001.HEIC",
  mimeType: "image/heic",
  buffer: Buffer.concat([Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"), Buffer.alloc(100)]),
};

/** Drops files on the page, as from a folder. */
const drop = async ({ page, button, shows }: Visit, files: readonly ChosenFile[]): Promise<void> => {
  await shows(button("Choose photos"));
  const contents = JSON.stringify(files.map(({ name, buffer }) => [name, buffer.toString("base64")]));
  const dataTransfer = await page.evaluateHandle(`(() => {
    const carried = new DataTransfer();
    for (const [name, base64] of ${contents})
      carried.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
    return carried;
  })()`);
  await page.locator("main").dispatchEvent("drop", { dataTransfer });
};

const PRIMARY = "Primary image";

/** The words below each image, in the order of the images; the primary one is starred. */
const imagesOn = async (page: Page): Promise<string[]> =>
  (await page.locator("ol.images > li").allTextContents()).map((words) =>
    words.startsWith(PRIMARY) ? `${words.slice(PRIMARY.length)}*` : words,
  );

const areShown = (visit: Visit, expected: readonly string[]): Promise<unknown> =>
  eventually(
    () => imagesOn(visit.page),
    (shown) => shown.join() === expected.join(),
  );

const vehicleIn = async ({ service: { api } }: JourneyContext): Promise<number> => {
  const dealer = await create(api, "/api/dealers", dealerBody());
  return (await create(api, "/api/vehicles", vehicleBody(dealer.id))).id;
};

const sizes = (widths: readonly number[]): string[] => widths.map((width) => `${width} × 48`);

/** Photos: many at once, in their order, and looked at large. */
export const photoJourneys: Journeys = (context) => {
  test("photos dropped at once stand in the order in which they were chosen; one that is refused says why", async () => {
    const id = await vehicleIn(context());
    const widths = [61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72];
    const photos = await photosOf(widths);
    // The browser keeps in memory what a page has shown: this one's photo was on none.
    const unseen = await vehicleIn(context());
    await context().service.api("POST", `/api/vehicles/${unseen}/images`, {
      raw: await jpegPhoto(61, 48, 99),
      headers: { "content-type": "image/jpeg" },
    });
    await context().visit(context().admin, async (visit) => {
      visit.expects(`415 POST /portal/api/vehicles/${id}/images`);
      let [running, most, sent] = [0, 0, 0];
      const other = Promise.withResolvers<void>();
      visit.page.on("response", (response) => {
        if (response.request().method() !== "POST") return;
        running--;
        other.resolve();
      });
      // The first one arrives after another.
      await visit.page.route(UPLOADS, async (route) => {
        if (route.request().method() === "POST") {
          most = Math.max(most, ++running);
          if (++sent === 1) await other.promise;
        }
        await route.continue();
      });
      await visit.go(`/vehicles/${id}`);
      await drop(visit, [...photos.slice(0, 6), HEIC, ...photos.slice(6)]);
      await visit.reads("12 photos added.");
      await visit.reads(/^Not taken: The file is HEIC, as iPhones save photos: send it as JPEG/);
      const [first, ...others] = sizes(widths);
      await areShown(visit, [`${first}*`, ...others]);
      expect(most).toBe(4);
      await visit.press("Take IMG_0001.HEIC off this list");
      await visit.hides(visit.page.getByText("IMG_0001.HEIC"));

      // A list has a thumbnail, and its blurred placeholder until it is loaded.
      const loaded = Promise.withResolvers<void>();
      await visit.page.route(/\/thumbnail$/, async (route) => {
        await loaded.promise;
        await route.continue();
      });
      await visit.go("/vehicles");
      const thumbnail = visit.page
        .getByRole("row")
        .filter({ has: visit.page.locator(`a[href$="/vehicles/${unseen}"]`) })
        .locator("img");
      const looks = () => thumbnail.getAttribute("style");
      await eventually(looks, (style) => style?.includes('url("data:image/webp;base64,') === true);
      expect(await thumbnail.getAttribute("width")).toBe("61");
      expect(await thumbnail.getAttribute("loading")).toBe("lazy");
      loaded.resolve();
      await eventually(looks, (style) => style?.includes("data:") !== true);
    });
  });

  test("photos are chosen while a vehicle is added; then one is moved by keyboard, described, turned and shown in the whole window", async () => {
    const dealer = await create(context().service.api, "/api/dealers", dealerBody());
    const photos = await photosOf([61, 62, 63]);
    await context().visit(context().admin, async (visit) => {
      const { keyboard } = visit.page;
      await visit.go(`/dealers/${dealer.id}/vehicles/new`);
      await visit.shows(visit.button("Choose photos"));
      expect(await visit.page.locator("form input").first().getAttribute("name")).toBe("vin");
      await visit.fill({ Make: "Toyota", Model: "Camry", Year: "2024", Price: "25999" });
      await visit.page.locator("input[type=file][multiple]").setInputFiles(photos);
      await visit.shows(visit.button("Take away: 63.jpg"));
      await visit.press("Add the vehicle");
      await visit.arrives("2024 Toyota Camry");
      await areShown(visit, ["61 × 48*", "62 × 48", "63 × 48"]);
      await visit.button("Move image 3").focus();
      await keyboard.press("ArrowLeft");
      await visit.reads("The image is now at place 2 of 3.");
      await keyboard.press("Home");
      await visit.reads("The image is now at place 1 of 3.");
      await areShown(visit, ["63 × 48", "61 × 48*", "62 × 48"]);
      await visit.shows(visit.page.locator("ol.images .image-grip:focus"));
      await visit.press("Rotate image 3");
      await areShown(visit, ["63 × 48", "61 × 48*", "48 × 62"]);
      await visit.press("Edit image 1");
      await visit.fill({ "Alt text": "From the front" });
      await visit.press("Save");
      await areShown(visit, ["From the front", "61 × 48*", "48 × 62"]);

      await visit.press("Show in the whole window");
      await visit.shows(visit.dialog("Image 2 of 3"));
      await keyboard.press("ArrowLeft");
      await visit.shows(visit.dialog("Image 1 of 3").getByRole("img", { name: "From the front" }));
      await keyboard.press("ArrowLeft");
      await visit.shows(visit.dialog("Image 3 of 3"));
      await keyboard.press("Escape");
      await visit.hides(visit.dialog("Image 3 of 3"));
      await visit.reads("3 of 3");
      // The order, and the description, are those of the service.
      await visit.again();
      await areShown(visit, ["From the front", "61 × 48*", "48 × 62"]);
    });
  });

  deepTest("a photo that did not arrive is tried again, and keeps its place; leaving meanwhile asks", async () => {
    const id = await vehicleIn(context());
    const photos = await photosOf([61, 62, 63]);
    await context().load(
      context().admin,
      async (visit) => {
        let isCut = true;
        const held = Promise.withResolvers<void>();
        await visit.page.route(UPLOADS, async (route) => {
          const isSecond = route.request().method() === "POST" && route.request().postData()?.includes('"62.jpg"');
          if (!isSecond) return route.continue();
          if (isCut) return route.abort("connectionreset");
          await held.promise;
          return route.continue();
        });
        visit.expects(`net::ERR_CONNECTION_RESET POST /portal/api/vehicles/${id}/images`);
        await visit.go(`/vehicles/${id}`);
        await drop(visit, photos);
        await visit.reads("2 photos added.");
        await areShown(visit, ["61 × 48*", "63 × 48"]);
        await visit.reads(/^Not sent: The service does not answer/);
        isCut = false;
        await visit.press("Try again: 62.jpg");
        await visit.follow("Vehicles");
        await visit.shows(visit.dialog("Stop sending photos?"));
        await visit.press("Keep sending");
        held.resolve();
        await areShown(visit, ["61 × 48*", "62 × 48", "63 × 48"]);
        await visit.follow("Vehicles");
        await visit.arrives("Vehicles");
      },
      {},
    );
  });

  deepTest("images are dragged to another place with a mouse, and Escape puts them back", async () => {
    const id = await vehicleIn(context());
    await context().visit(context().admin, async (visit) => {
      await visit.go(`/vehicles/${id}`);
      await drop(visit, await photosOf([61, 62, 63]));
      await areShown(visit, ["61 × 48*", "62 × 48", "63 × 48"]);
      const middleOf = async (name: string) => {
        const box = await visit.button(name).boundingBox();
        if (box === null) throw new Error(`nothing is drawn of ${name}`);
        return [box.x + box.width / 2, box.y + box.height / 2] as const;
      };
      const { mouse, keyboard } = visit.page;
      const to = await middleOf("Show image 3");
      await mouse.move(...(await middleOf("Show image 1")));
      await mouse.down();
      await mouse.move(...to, { steps: 8 });
      await areShown(visit, ["62 × 48", "63 × 48", "61 × 48*"]);
      await keyboard.press("Escape");
      await areShown(visit, ["61 × 48*", "62 × 48", "63 × 48"]);
      await mouse.up();
      await mouse.move(...(await middleOf("Move image 1")));
      await mouse.down();
      await mouse.move(...to, { steps: 8 });
      await mouse.up();
      await visit.reads("The image is now at place 3 of 3.");
      await visit.again();
      await areShown(visit, ["62 × 48", "63 × 48", "61 × 48*"]);
    });
  });

  deepTest("a phone takes photos with its camera, shows them upright, and swipes from one to the next", async () => {
    const id = await vehicleIn(context());
    const jpeg = Buffer.from(await new Bun.Image(signpost(400, 300)).jpeg().bytes());
    const upright = { name: "phone.jpg", mimeType: "image/jpeg", buffer: phonePhoto(jpeg, 6) };
    await context().load(
      context().admin,
      async (visit) => {
        await visit.go(`/vehicles/${id}`);
        await visit.press("Add and sort");
        await visit.shows(visit.button("Take a photo"));
        const camera = visit.page.locator("input[type=file][capture=environment]");
        await camera.setInputFiles(upright);
        await areShown(visit, ["300 × 400*"]);
        // The camera was turned: what is above in the file is on the right of the photo.
        const colours = await eventually(
          () =>
            visit.page.evaluate<string>(`(() => {
              const image = document.querySelector("img.large-picture");
              if (!image?.complete || image.naturalWidth !== 300) return "";
              const canvas = document.createElement("canvas");
              const pen = canvas.getContext("2d");
              pen.drawImage(image, 0, 0, 2, 2);
              return String(pen.getImageData(1, 0, 1, 1).data);
            })()`),
          Boolean,
        );
        const [red = 0, green = 0, blue = 0] = colours.split(",").map(Number);
        expect([green > 120, red < 80, blue < 80]).toEqual([true, true, true]);

        await create(context().service.api, `/api/vehicles/${id}/images`, imageBody());
        await visit.drawPictures();
        await visit.again();
        await visit.press("Show in the whole window");
        await visit.shows(visit.dialog("Image 1 of 2"));
        const swipe = (from: number, to: number) =>
          visit.page.evaluate(`for (const [type, clientX] of [["pointerdown", ${from}], ["pointerup", ${to}]])
            document.querySelector(".photo-viewer")
              .dispatchEvent(new PointerEvent(type, { clientX, bubbles: true, pointerType: "touch" }))`);
        await swipe(300, 100);
        await visit.shows(visit.dialog("Image 2 of 2"));
        await swipe(100, 300);
        await visit.shows(visit.dialog("Image 1 of 2"));
      },
      PHONE,
    );
  });

  deepTest("12 photos of 12 megapixels that are dropped at once are all there, in order", async () => {
    const id = await vehicleIn(context());
    const files = await Promise.all(
      Array.from({ length: 12 }, async (_, place) => {
        const width = 4000 + place * 2;
        const small = await jpegPhoto(400, 300, place * 20);
        const buffer = Buffer.from(await new Bun.Image(small).resize(width, 3000, { fit: "fill" }).jpeg().bytes());
        return { name: `${place}.jpg`, mimeType: "image/jpeg", buffer };
      }),
    );
    await context().visit(context().admin, async (visit) => {
      await visit.go(`/vehicles/${id}`);
      await drop(visit, files);
      await visit.reads("12 photos added.");
      // `public` is 2,560 pixels wide; its height tells how wide the photo was.
      const heights = files.map((_, place) => Math.round((3000 * 2560) / (4000 + place * 2)));
      const [first, ...others] = heights.map((height) => `2560 × ${height}`);
      await areShown(visit, [`${first}*`, ...others]);
    });
  });
};
