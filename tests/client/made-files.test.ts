import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Document, operationsOf } from "../../client/making/document.ts";
import { madeFrom, outdated } from "../../client/making/make.ts";
import clientPackage from "../../client/package.json";
import { VehicleInventory } from "../../client/src/index.ts";
import servicePackage from "../../package.json";
import { deepTest } from "../support/deep-test.ts";
import { ownDocument } from "./document.ts";

const read = (file: string): string => readFileSync(join(import.meta.dir, "../../client", file), "utf8");

/** A copy of the document in which something is different. */
const changed = (document: Document, change: (copy: Document) => void): Document => {
  const copy = structuredClone(document);
  change(copy);
  return copy;
};

const document = await ownDocument();

describe("the client's files that are made from the OpenAPI document", () => {
  test("are those that the document makes now (bun run client)", () => {
    expect(outdated(document, read)).toEqual([]);
  });

  test("are out of date when a record, a parameter or a description differs, or somebody writes in them", () => {
    const schemas = document.components.schemas;
    const renamed = { ...document, components: { schemas: { ...schemas, Sale: schemas.Vehicle ?? {} } } };
    expect(outdated(renamed, read)).toEqual(["src/made/records.ts"]);
    const described = changed(document, ({ paths }) => Object.assign(paths["/api/me"]?.get ?? {}, { summary: "New" }));
    expect(outdated(described, read)).toEqual(["src/made/resources.ts", "docs/methods.md"]);
    const asked = changed(document, ({ paths }) => Object.assign(paths["/api/report"]?.get ?? {}, { parameters: [] }));
    expect(outdated(asked, read)).toContain("src/made/records.ts");
    const touched = (file: string): string =>
      file.includes("records") ? read(file).replace("price: ", "cost: ") : read(file);
    expect(outdated(document, touched)).toEqual(["src/made/records.ts"]);
  });

  test("cannot be made while an operation has no name, or a name no operation", () => {
    const added = changed(document, ({ paths }) =>
      Object.assign(paths, { "/api/new": { get: { ...paths["/api/me"]?.get, operationId: "getNew" } } }),
    );
    expect(() => operationsOf(added)).toThrow("no name for getNew (get /api/new)");
    const removed = changed(document, ({ paths }) => Reflect.deleteProperty(paths, "/api/me"));
    expect(() => operationsOf(removed)).toThrow("do not exist: getMe");
  });

  // It costs a start of the compiler; the seal in the file says as much.
  deepTest("are the same when their types are made anew", async () => {
    for (const [file, text] of Object.entries(await madeFrom(document))) expect(read(file)).toBe(text);
  });

  test("are of the service's version", () => {
    expect(clientPackage.version).toBe(servicePackage.version);
    expect("dependencies" in clientPackage).toBe(false);
  });
});

describe("every operation of the API", () => {
  const sent: string[] = [];
  const inventory = new VehicleInventory({
    apiKey: "a key",
    baseUrl: "https://cars.example.com/",
    async fetch(url, { method }) {
      sent.push(`${method} ${decodeURIComponent(url)}`);
      return Response.json({ id: 1 });
    },
  });
  type Method = (...args: readonly unknown[]) => Promise<unknown> | { page(): Promise<unknown> };
  const method = (resource: string, name: string): Method => {
    const owner = inventory[resource as "vehicles"] as unknown as Readonly<Record<string, Method>>;
    const found = owner[name];
    if (found === undefined) throw new Error(`no ${resource}.${name}`);
    return (...args) => found.apply(owner, [...args]);
  };

  for (const operation of operationsOf(document))
    test(`${operation.id} is sent by ${operation.resource}.${operation.name}`, async () => {
      const { pathParameters, body, query, isList } = operation;
      const fields = Object.fromEntries(
        pathParameters.map(({ name }) => [name.replace(/_./, (s) => s.slice(1).toUpperCase()), `{${name}}`]),
      );
      const place = pathParameters.length === 1 ? Object.values(fields) : pathParameters.length === 0 ? [] : [fields];
      const input = operation.id === "createImport" ? ["make"] : body !== null || query.length > 0 ? [{}] : [];
      sent.length = 0;
      const called = method(operation.resource, operation.name)(...place, ...input);
      await (isList && "page" in called ? called.page() : called);
      expect(sent).toEqual([`${operation.method} https://cars.example.com${operation.path}`]);
    });
});
