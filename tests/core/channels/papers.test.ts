import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MILEAGE_UNITS } from "../../../core/channels/channel.ts";
import { usualFormat } from "../../../core/channels/channels.ts";
import { channelRow, NOT_REPEATED } from "../../../core/channels/feed-rows.ts";
import { RULES, SEVERITIES } from "../../../core/channels/issue.ts";
import { LINK_FIELDS, linkTemplateFault } from "../../../core/channels/link-template.ts";
import { CHANNEL_NAMES } from "../../../core/channels/titles.ts";
import { feedVehicle, SETTINGS } from "./invented.ts";

const PAPER = readFileSync(join(import.meta.dir, "../../../docs/channels.md"), "utf8");

describe("docs/channels.md", () => {
  test("lists each channel with its usual format, each rule, and each field of a link template", () => {
    for (const channel of CHANNEL_NAMES)
      expect(PAPER).toContain(`| \`${channel}\` | ${usualFormat(channel).toUpperCase()} |`);
    for (const rule of Object.keys(RULES)) expect(PAPER).toContain(`\`${rule}\``);
    for (const field of LINK_FIELDS) expect(PAPER).toContain(`\`{${field}}\``);
  });

  test("lists no channel and no rule that does not exist", () => {
    const known: readonly string[] = [...CHANNEL_NAMES, ...Object.keys(RULES)];
    const named = [...PAPER.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(
      ([, cell = ""]) => cell.match(/\w+/g) ?? [],
    );
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe("in feeds", () => {
  test("every field may be in a link, and every mileage unit is written", () => {
    for (const field of LINK_FIELDS) expect(linkTemplateFault(`https://example.com/{${field}}`)).toBeNull();
    for (const mileage_unit of MILEAGE_UNITS) {
      const row = channelRow(
        "google_vehicle_ads",
        {
          ...feedVehicle(),
          settings: { ...SETTINGS, link_template: "https://example.com/{id}?s={store_code}", mileage_unit },
        },
        NOT_REPEATED,
      );
      expect(row.cells?.join()).toMatch(/2333 (miles|km)/);
    }
  });

  test("every issue is an error or a warning", () => {
    const { issues } = channelRow(
      "meta",
      { ...feedVehicle({ price: 0, body_style: "Targa" }), settings: SETTINGS },
      NOT_REPEATED,
    );
    expect(issues.map(({ severity }) => severity).sort()).toEqual([...SEVERITIES]);
  });
});
