import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { deepTest } from "../support/deep-test.ts";
import { ENGINES } from "../support/engines.ts";
import { serviceFixture } from "../support/service-fixture.ts";

setDefaultTimeout(300_000);

/** Code that uses the generated types. */
const USE = `
import type { components, operations } from "./api";

type Vehicle = components["schemas"]["Vehicle"];
type Page = operations["listVehicles"]["responses"][200]["content"]["application/json"];

export const titles = ({ vehicles, meta }: Page): string[] =>
  vehicles.map(({ title, year }: Vehicle) => \`\${title ?? "untitled"} \${year.toFixed()} of \${meta.total}\`);
export const body: components["schemas"]["NewVehicle"] = { make: "Toyota", model: "Camry", year: 2024, price: 1, trim: null };
export const change: components["schemas"]["VehicleChanges"] = { status: "sold" };
export const key = (shown: components["schemas"]["ApiKeyWithSecret"]): string | null => shown.api_key;
export const code: components["schemas"]["ErrorCode"] = "not_found";
`;

/** Code with one mistake each, which the types must detect. */
const MISTAKES = [
  'export const body: import("./api").components["schemas"]["NewVehicle"] = { make: "Toyota" };',
  'export const change: import("./api").components["schemas"]["VehicleChanges"] = { status: "stolen" };',
  'export const year = (vehicle: import("./api").components["schemas"]["Vehicle"]): string => vehicle.year;',
  'export const title = (vehicle: import("./api").components["schemas"]["Vehicle"]): string => vehicle.title;',
];

// The document is the same on every engine.
for (const engine of ENGINES.slice(0, 1))
  describe("the OpenAPI document", () => {
    const fixture = serviceFixture(engine);
    const folder = mkdtempSync(join(tmpdir(), "api-types-"));
    let text: string;

    beforeAll(async () => {
      text = (await fixture.api("GET", "/openapi.json", { key: null })).text;
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    /** The faults that the compiler finds in each of these files. */
    const faultsOf = async (sources: readonly string[]): Promise<string[][]> => {
      const files = sources.map((_, index) => join(folder, `use${index}.ts`));
      await Promise.all(sources.map((source, index) => Bun.write(files[index] ?? "", source)));
      const program = ts.createProgram(files, {
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        // The declarations of the language itself are not in question.
        skipLibCheck: true,
        types: [],
        lib: ["lib.es2022.d.ts"],
        module: ts.ModuleKind.Preserve,
      });
      const found = ts.getPreEmitDiagnostics(program);
      expect(found.filter(({ file }) => file === undefined || !files.includes(file.fileName))).toEqual([]);
      return files.map((name) =>
        found
          .filter(({ file }) => file?.fileName === name)
          .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")),
      );
    };

    test("has no errors or warnings under Redocly's recommended rules", async () => {
      // The rule does not see that an id is a number: no request for `vehicles/removed/1` is one for a vehicle's images.
      const config = await createConfig({ extends: ["recommended"], rules: { "no-ambiguous-paths": "off" } });
      // One name of an operation is taken away, so that the tool is seen to find something, and nothing else.
      const source = text.replace('"operationId"', '"x-id"');
      const problems = await lintFromString({ source, config });
      expect(problems.map(({ ruleId }) => ruleId)).toEqual(["operation-operationId"]);
    });

    // It costs a start of the compiler; what the document says of each field is proved without it.
    deepTest("generates types that name vehicles, pages, bodies and errors, and that detect mistakes", async () => {
      await Bun.write(join(folder, "api.ts"), astToString(await openapiTS(text)));
      const [ofUse, ...ofMistakes] = await faultsOf([USE, ...MISTAKES]);
      expect(ofUse).toEqual([]);
      expect(ofMistakes.map(({ length }) => length)).toEqual(MISTAKES.map(() => 1));
    });
  });
