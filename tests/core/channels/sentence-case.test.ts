import { expect, test } from "bun:test";
import { inSentenceCase } from "../../../core/channels/texts.ts";

test("a text in capitals keeps the first letter of each sentence and line, whatever signs stand before it", () => {
  for (const [capitals, sentences] of [
    ["ONE OWNER. NO ACCIDENTS! WHY WAIT?  CALL US", "One owner. No accidents! Why wait?  Call us"],
    ["LEATHER SEATS\n- HEATED\n- COOLED", "Leather seats\n- Heated\n- Cooled"],
    ["... «ÜBER» 100. 5.0 LITRES. 4 DOORS", "... «Über» 100. 5.0 litres. 4 doors"],
    ["A.B. MOTORS… ÉTAT NEUF", "A.b. Motors… État neuf"],
    ["", ""],
    [`${". ".repeat(20_000)}A`, `${". ".repeat(20_000)}A`],
  ] as const)
    expect(inSentenceCase(capitals)).toBe(sentences);
});
