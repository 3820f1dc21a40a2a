import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AS_DEPLOYED } from "../../bench/contenders.ts";
import { readOptions } from "../../bench/options.ts";
import { writeResults } from "../../bench/output.ts";
import { WORKLOADS } from "../../bench/workloads.ts";

const PUBLISHED = join(import.meta.dir, "../../bench/results");

const published = () => readdirSync(PUBLISHED).map((name) => [name, readFileSync(join(PUBLISHED, name), "utf8")]);

test.each([
  ["", true],
  ["--rounds 5", true],
  ["--growth --rounds 15", true],
  ["--quick", false],
  ["--growth --quick", false],
  ["--only by-id", false],
  ["--contenders service", false],
] as const)("only a full measurement replaces the published results: %p", (line, isFull) => {
  expect(readOptions(line.split(" ").filter(Boolean)).published).toBe(isFull);
});

test("a contender that is named is measured on every workload, in a whole comparison on its own alone", () => {
  const measured = (line: string, contender: string): string[] => {
    const { contenders, workloads, isMeasured } = readOptions(line.split(" ").filter(Boolean));
    const own = contenders.find(({ name }) => name === contender);
    return own === undefined ? [] : workloads.filter((one) => isMeasured(own, one)).map(({ name }) => name);
  };
  const all = WORKLOADS.map(({ name }) => name);
  expect(measured("", "service")).toEqual(all);
  expect(measured("", "bare")).toEqual(all);
  expect(measured("", "hono")).toEqual(all.filter((name) => !["words", "facets", "sorted", "history"].includes(name)));
  expect(measured("", "bare-lazy")).toEqual(["update", "create", "crud"]);
  expect(measured("", "bare-bun-sqlite")).toEqual([]);
  for (const contender of ["hono", "bare-lazy", "bare-bun-sqlite"])
    expect(measured(`--contenders ${contender}`, contender)).toEqual(all);
});

test("the service is measured with what the image and the systemd unit set for the runtime", () => {
  const root = join(PUBLISHED, "../..");
  const lines = (file: string) => readFileSync(join(root, file), "utf8").split("\n");
  for (const [name, value] of Object.entries(AS_DEPLOYED)) {
    expect(lines("Dockerfile")).toContain(`ENV ${name}=${value}`);
    expect(lines("deploy/vehicle-inventory.service")).toContain(`Environment=${name}=${value}`);
  }
});

test("unpublished results go to their own folder, and the published ones stay unchanged", async () => {
  const before = published();
  const folder = await writeResults("latest", { json: { figures: [] }, md: "a rough look\n", svg: "<svg/>" }, false);
  try {
    expect(readdirSync(folder).sort()).toEqual(["latest.json", "latest.md", "latest.svg"]);
    expect(published()).toEqual(before);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
