import type { Operation, Schema } from "./document.ts";
import { argumentsOf, byResource, returnedBy } from "./resources.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const rowOf = (operation: Operation, schemas: Readonly<Record<string, Schema>>): string => {
  const { resource, name, method, path, summary } = operation;
  const call = `inventory.${resource}.${name}(${argumentsOf(operation).join(", ")}): ${returnedBy(operation, schemas)}`;
  return `| \`${cell(call)}\` | ${cell(summary)} | \`${method} ${path}\` |`;
};

/** A page with every method of the client. */
export const methodsGuide = (operations: readonly Operation[], schemas: Readonly<Record<string, Schema>>): string =>
  `# Methods

Made from the OpenAPI document by \`bun run client\`. The README shows how they are used. \`imports.run\`, \`images.upload\`, \`changes.follow\` and the loop over \`changes.stream\` are explained there.

${[...byResource(operations)]
  .map(
    ([resource, ones]) => `## ${resource}

| Method | What it does | Request |
|---|---|---|
${ones.map((one) => rowOf(one, schemas)).join("\n")}
`,
  )
  .join("\n")}`;
