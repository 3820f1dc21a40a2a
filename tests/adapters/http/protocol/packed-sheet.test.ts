import { describe, expect, test } from "bun:test";
import { packedSheet } from "../../../../adapters/http/protocol/packed-sheet.ts";
import { sheetFile } from "../../../../core/export/sheet-file.ts";
import { readSheet } from "../../../core/imports/workbook.ts";

const { heading, line, end } = sheetFile([{ name: "vin", width: 20, kind: "plain" }]);
const ROWS = Array.from({ length: 300 }, (_, n) => line([`A${n} ${"x".repeat(500)}`]));

describe("a packed sheet", () => {
  test("is a workbook with all its rows, however they come", async () => {
    const pieces = [heading, ...ROWS, "", end].map((text) => Buffer.from(text));
    const source = async function* () {
      yield* pieces;
    };
    const whole = Buffer.concat(await Array.fromAsync(packedSheet("vehicles")(source())));
    const { rows, facts } = await readSheet(whole);
    expect(facts).toMatchObject({ sheet: "vehicles", warnings: [] });
    expect(rows.map(({ cells }) => String(cells.vin).split(" ")[0])).toEqual(ROWS.map((_, n) => `A${n}`));
    expect(whole.length).toBeLessThan(Buffer.concat(pieces).length / 5);
  });

  test("is handed on piece by piece, and ends its source if nobody wants more", async () => {
    const asked: number[] = [];
    let hasEnded = false;
    const source = async function* () {
      try {
        for (const [place, text] of ROWS.entries()) {
          asked.push(place);
          yield Buffer.from(text);
        }
      } finally {
        hasEnded = true;
      }
    };
    const packed = packedSheet("vehicles")(source());
    for (const most of [1, 2, 3]) {
      expect((await packed.next()).done).toBe(false);
      expect(asked.length).toBe(most);
    }
    await packed.return();
    expect([asked.length, hasEnded]).toEqual([3, true]);
  });
});
