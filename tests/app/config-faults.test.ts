import { expect, test } from "bun:test";
import { configFaults } from "../../app/config-faults.ts";
import { VARIABLES as RULES } from "./config-variables.ts";

test("every mistake of the configuration is told at once, each in one line", () => {
  const environment = Object.fromEntries(Object.entries(RULES).map(([name, { refuses }]) => [name, refuses[0]]));
  const faults = configFaults({ ...environment, METRICS_HOST: "127.0.0.1", SMTP_URL: "" });
  const named = faults.map((fault) => fault.split(" ")[0]);
  expect(named.toSorted()).toEqual([...Object.keys(RULES), "METRICS_PORT", "SMTP_URL"].sort());
  for (const fault of faults) expect(fault).toMatch(/^[A-Z_]+ [^\n]+; for example [^\n]+$/);
});

test("a configuration without mistakes has none", () => {
  expect(configFaults({})).toEqual([]);
});
