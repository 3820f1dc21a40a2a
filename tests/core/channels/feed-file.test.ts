import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FEED_FORMATS } from "../../../core/channels/channel.ts";
import { CHANNELS, usualFormat } from "../../../core/channels/channels.ts";
import { feedFile } from "../../../core/channels/feed-file.ts";
import { feedRows } from "../../../core/channels/feed-rows.ts";
import { CHANNEL_NAMES, CHANNEL_TITLES } from "../../../core/channels/titles.ts";
import { VEHICLE_FIELDS } from "../../../core/vehicles/fields.ts";
import { feedVehicle, SETTINGS } from "./invented.ts";

/** Texts that break tables: quotes, separators, ends of lines, controls. */
const text = fc.string({ unit: fc.constantFrom(..."a1\"',;\t\r\n|=+@\u0000\u2028é🚗 {}[]\\"), maxLength: 60 });
const address = fc
  .string({ unit: fc.constantFrom(..."ab,;|\"'%20/"), maxLength: 30 })
  .map((end) => `https://images.example.com/${end}`);

const hostile = fc.record({
  vehicle: fc.record({
    make: text,
    model: text,
    title: text,
    trim: text,
    description: text,
    features: text,
    engine: text,
    stock_number: text,
    exterior_color: text,
    body_style: text,
    fuel_type: text,
  }),
  images: fc.array(address, { minLength: 1, maxLength: 6 }),
});

/** The lines of a table (RFC 4180); it fails where its quotes are wrong. */
const parsed = (table: string, separator: string): string[][] => {
  const lines: string[][] = [[]];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\r\n]*))(${separator}|\r\n)`, "gy");
  let end = 0;
  for (const [whole, quoted, bare, stop] of table.matchAll(cell)) {
    end += whole.length;
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? "");
    if (stop === "\r\n") lines.push([]);
  }
  expect(end).toBe(table.length);
  return lines.slice(0, -1);
};

const SEPARATORS = { csv: ",", tsv: "\t" } as const;

describe("a feed's file", () => {
  for (const channel of CHANNEL_NAMES)
    test(`of ${channel} has as many cells in each line as headings, in any format and for any text`, () => {
      const headings = CHANNELS[channel].fields.map(({ heading }) => heading);
      fc.assert(
        fc.property(hostile, ({ vehicle, images }) => {
          const rows = feedRows(channel, { ...SETTINGS, link_template: "https://example.com/{id}?store={store_code}" });
          const { cells } = rows.row(feedVehicle(vehicle, images));
          if (cells === null) return;
          for (const format of ["csv", "tsv"] as const) {
            const file = feedFile(channel, format);
            const lines = parsed(file.heading + file.line(cells) + file.line(cells), SEPARATORS[format]);
            expect(lines.map((line) => line.length)).toEqual([headings.length, headings.length, headings.length]);
            expect(lines[0]).toEqual(headings);
            expect(lines[1]).toEqual(lines[2] ?? []);
          }
          expect(feedFile(channel, "tsv").line(cells).split("\t")).toHaveLength(headings.length);
          const line = feedFile(channel, "ndjson").line(cells);
          expect(line.indexOf("\n")).toBe(line.length - 1);
          for (const heading of Object.keys(JSON.parse(line))) expect(headings).toContain(heading);
        }),
        { numRuns: 60 },
      );
    });

  test("joins a list into one cell whose items stay separable; a line of JSON has it as a list", () => {
    const images = [
      "https://images.example.com/1.jpg",
      "https://images.example.com/a,b.jpg",
      "https://images.example.com/3.jpg",
    ];
    const { cells } = feedRows("google_vehicle_ads", {
      ...SETTINGS,
      link_template: "https://example.com/{id}?s={store_code}",
    }).row(feedVehicle({}, images));
    expect(feedFile("google_vehicle_ads", "tsv").line(cells ?? [])).toContain(
      "\thttps://images.example.com/a%2Cb.jpg,https://images.example.com/3.jpg\t",
    );
    expect(JSON.parse(feedFile("google_vehicle_ads", "ndjson").line(cells ?? []))).toMatchObject({
      additional_image_link: images.slice(1),
    });
  });

  test("of our own channels has every field of a vehicle by its name, its link and its images", () => {
    for (const channel of ["csv", "ndjson"] as const)
      expect(CHANNELS[channel].fields.map(({ heading }) => heading)).toEqual([
        ...Object.keys(VEHICLE_FIELDS),
        "link",
        "images",
      ]);
  });

  test("has distinct headings, a usual format and a title for people, for every channel", () => {
    for (const channel of CHANNEL_NAMES) {
      const headings = CHANNELS[channel].fields.map(({ heading }) => heading);
      expect(new Set(headings).size).toBe(headings.length);
      expect(FEED_FORMATS).toContain(usualFormat(channel));
      expect(CHANNEL_TITLES[channel]).not.toBe("");
    }
  });
});
