/** An operation of an OpenAPI document, and the errors that it declares. */
export interface DeclaredOperation {
  readonly name: string;
  readonly method: string;
  /** Its path as in the document, such as `/api/vehicles/{id}`. */
  readonly path: string;
  /** The names of its query parameters. */
  readonly query: readonly string[];
  readonly errors: readonly { readonly status: number; readonly code: string }[];
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

const errorsOf = ({ responses }: Operation): DeclaredOperation["errors"] =>
  Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) =>
      [...description.matchAll(/`([a-z_]+)`: /g)].map(([, code = ""]) => ({ status: Number(status), code })),
    );

/** Every operation of an OpenAPI document. */
export const declaredIn = (paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>): DeclaredOperation[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: operation.operationId,
      method: method.toUpperCase(),
      path,
      query: (operation.parameters ?? []).filter((one) => one.in === "query").map(({ name }) => name),
      errors: errorsOf(operation),
    })),
  );
