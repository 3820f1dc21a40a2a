import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { allCurrentPolicies } from "../../core/all-current-policies.ts";

const ROOT = join(import.meta.dir, "../..");
const RULES = join(ROOT, "core/access/rules");

/** The rule in `dealers-key-may-not-move-vehicle.ts` is called `dealersKeyMayNotMoveVehicle`. */
const ruleOf = (file: string): string =>
  file.replace(".ts", "").replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const listed: readonly unknown[] = allCurrentPolicies.map(([rule]) => rule);

describe("the list of all access rules", () => {
  for (const file of readdirSync(RULES))
    test(`has the rule that ${file} is named after, which has a table in the tests`, async () => {
      const module: Readonly<Record<string, unknown>> = await import(join(RULES, file));
      expect(listed).toContain(module[ruleOf(file)] ?? `no ${ruleOf(file)} in ${file}`);
      expect(existsSync(join(ROOT, "tests/core/access/rules", file.replace(".ts", ".test.ts")))).toBe(true);
    });

  test("states each rule in one sentence, which docs/security.md repeats", async () => {
    const document = await Bun.file(join(ROOT, "docs/security.md")).text();
    const sentences = allCurrentPolicies.map(([, sentence]) => sentence);
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(sentences.filter((sentence) => !/^[A-Z][^.]+\.$/.test(sentence))).toEqual([]);
    expect(sentences.filter((sentence) => !document.includes(`| ${sentence} |`))).toEqual([]);
  });
});
