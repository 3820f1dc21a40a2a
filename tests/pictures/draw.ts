import { join } from "node:path";
import type { Browser as Chromium } from "playwright-core";
import type { Browser } from "../support/browser.ts";
import { ENGINES } from "../support/engines.ts";
import { settled, visiting } from "../support/portal.ts";
import { FIRST_PICTURES, PICTURES, type Picture, PUBLIC_PICTURES } from "./catalogue.ts";
import { ADDRESS, DRAWN_AT, type Stocked, stockedService } from "./stock.ts";

/** Where the pictures are kept. */
export const FOLDER = join(import.meta.dir, "../../docs/screenshots");

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 375, height: 740 };

/** The three appearances of each page, as the ends of file names. */
const APPEARANCES = [
  { end: "", size: WIDE, colorScheme: "light" },
  { end: "-dark", size: WIDE, colorScheme: "dark" },
  { end: "-phone", size: NARROW, colorScheme: "light" },
] as const;

const ENDING = ".png";

/** The file of a picture's appearance. */
export const fileOf = (name: string): string => join(FOLDER, name + ENDING);

/** The names of the files of all pictures, with their widths and heights in dots. */
export const pictureFiles = (): ReadonlyMap<string, readonly [width: number, height: number]> =>
  new Map(
    [...PICTURES, ...PUBLIC_PICTURES, ...FIRST_PICTURES].flatMap(({ name }) =>
      APPEARANCES.map(({ end, size }) => [name + end + ENDING, [size.width, size.height]] as const),
    ),
  );

/** A newly drawn picture as a PNG. */
export interface Drawn {
  /** The file's name without its ending. */
  readonly name: string;
  readonly png: Uint8Array;
}

/** A drawn car replaces each photo, so that the tests need no internet. */
const carOf = (url: string): string => {
  const hue = [...url].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200"><rect width="300" height="200" fill="#e9eef3"/>
    <path d="M40 130q5-30 45-35l25-30h80l35 32q40 5 42 33v10H40z" fill="hsl(${hue} 45% 45%)"/>
    <circle cx="95" cy="140" r="20" fill="#333"/><circle cx="210" cy="140" r="20" fill="#333"/></svg>`;
};

/** Gives every key the same start, because letters of other widths would move columns. */
const ALIKE = `{
  const alike = (text) => text.replace(/(vis_.*_)[0-9A-Za-z]{4}\\b/, "$1oh5L");
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (alike(node.data) !== node.data) node.data = alike(node.data);
  }
  for (const { dataset } of document.querySelectorAll("[data-detail]")) dataset.detail = alike(dataset.detail);
}`;

const eventOf = (change: object): string => `data: ${JSON.stringify(change)}\n\n`;
const CHANGED_AT = { created_at: "2026-03-02T09:00:00.000Z", updated_at: "2026-03-16T10:14:00.000Z" };
/** What changed while the overview was open. */
const CHANGES = [
  { kind: "vehicle", op: "remove", id: 12, dealer_id: 2, at: "2026-03-16T10:09:00.000Z", record: null },
  {
    ...{ kind: "vehicle", op: "upsert", id: 1, dealer_id: 1, at: CHANGED_AT.updated_at },
    record: { ...CHANGED_AT, title: null, year: 2024, make: "Toyota", model: "Camry", stock_number: "A1040" },
  },
]
  .map(eventOf)
  .join("");

const drawn = async (
  chromium: Chromium,
  { url, visitor, changes = "" }: { readonly url: string; readonly visitor: Browser | null; readonly changes?: string },
  pictures: readonly Picture[],
): Promise<Drawn[]> => {
  const all: Drawn[] = [];
  await visiting({
    chromium,
    url,
    visitor,
    // Readers look at them: all dots are drawn.
    options: { timezoneId: "UTC", deviceScaleFactor: 1, extraHTTPHeaders: { "x-forwarded-for": ADDRESS } },
    work: async (visit) => {
      const { page } = visit;
      if (visitor === null) visit.expects("401 GET /portal/api/session");
      await page.clock.setFixedTime(DRAWN_AT);
      await page.route(
        (address) => address.origin !== url,
        (route) => route.fulfill({ contentType: "image/svg+xml", body: carOf(route.request().url()) }),
      );
      // The stream of changes has no end, so that the page would never be at rest.
      await page.route("**/portal/api/changes/stream*", (route) =>
        route.fulfill({ contentType: "text/event-stream", body: changes }),
      );
      for (const { name, path, act } of pictures) {
        await page.setViewportSize(WIDE);
        await page.emulateMedia({ colorScheme: "light" });
        await visit.go(path);
        await settled(visit);
        await act?.(visit);
        for (const { end, size, colorScheme } of APPEARANCES) {
          await page.setViewportSize(size);
          await page.emulateMedia({ colorScheme });
          await settled(visit);
          // The caret blinks, and the pointer colours the row below it.
          await page.mouse.move(0, 0);
          await page.evaluate(ALIKE);
          all.push({ name: name + end, png: await page.screenshot({ caret: "hide", animations: "disabled" }) });
        }
      }
    },
  });
  return all;
};

/** Draws the chosen pictures in the browser, from a service started for them. */
export const draw = async (chromium: Chromium, isWanted: (name: string) => boolean = () => true): Promise<Drawn[]> => {
  const [engine] = ENGINES;
  const wanted = (pictures: readonly Picture[]) => pictures.filter(({ name }) => isWanted(name));
  const services: Stocked[] = [];
  const serve = async (stocked: boolean): Promise<Stocked> => {
    const made = await stockedService(engine, { stocked });
    services.push(made);
    return made;
  };
  try {
    const [full, empty] = [await serve(true), await serve(false)];
    const { url } = full.service;
    return [
      ...(await drawn(chromium, { url, visitor: full.admin, changes: CHANGES }, wanted(PICTURES))),
      ...(await drawn(chromium, { url, visitor: null }, wanted(PUBLIC_PICTURES))),
      ...(await drawn(chromium, { url: empty.service.url, visitor: empty.admin }, wanted(FIRST_PICTURES))),
    ];
  } finally {
    for (const { service } of services) await service.close();
  }
};
