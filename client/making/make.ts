import { type Document, operationsOf } from "./document.ts";
import { methodsGuide } from "./guide.ts";
import { recordSchemas, seal, typesOf } from "./records.ts";
import { resourcesOf } from "./resources.ts";

const HEADING = "// Made from the OpenAPI document by `bun run client`. Do not change it by hand.\n";

type Files = Readonly<Record<string, string>>;

const RECORDS = "src/made/records.ts";

/** The files that are made from the document without a compiler, by their path within the client. */
const lightFiles = (document: Document): Files => {
  const operations = operationsOf(document);
  return {
    "src/made/resources.ts": `${HEADING}\n${resourcesOf(operations, document.components.schemas)}`,
    "docs/methods.md": methodsGuide(operations, document.components.schemas),
  };
};

/** The files of the client that are made from the service's document. */
export const madeFrom = async (document: Document): Promise<Files> => {
  const schemas = recordSchemas(document, operationsOf(document));
  const types = await typesOf(schemas);
  return { [RECORDS]: `${HEADING}${seal(schemas, types)}\n${types}`, ...lightFiles(document) };
};

/** The made files that are not what the document makes of them. The types are known by their seal. */
export const outdated = (document: Document, read: (file: string) => string): string[] => {
  const schemas = recordSchemas(document, operationsOf(document));
  const records = read(RECORDS);
  const types = records.slice(records.indexOf("\n\n") + 2);
  const isSealed = records === `${HEADING}${seal(schemas, types)}\n${types}`;
  const light = Object.entries(lightFiles(document)).filter(([file, text]) => read(file) !== text);
  return [...(isSealed ? [] : [RECORDS]), ...light.map(([file]) => file)];
};
