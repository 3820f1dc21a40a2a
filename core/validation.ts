import Type, { type Static, type TObject, type TSchema } from "typebox";
import { compiledOnUse } from "./compiled.ts";
import { Failure, invalid, type Outcome } from "./failure.ts";
import { type Issue, Issues } from "./issues.ts";

interface Field {
  readonly required: boolean;
  readonly nullable: boolean;
  readonly accepts: (value: unknown) => boolean;
  readonly issues: (path: string, value: unknown) => Issue[];
}

/** Validates untrusted input against one schema. The schema is compiled only once. */
export interface Validator<Value> {
  /**
   * Returns the value without its read-only fields, or a failure that lists the invalid fields. `faults` are messages for
   * invalid fields that depend on the clock; other fields have that of the schema.
   */
  parse(
    input: unknown,
    rules?: (fields: Readonly<Record<string, unknown>>) => readonly Issue[],
    faults?: Readonly<Record<string, string>>,
  ): Outcome<Value>;
}

interface Annotated {
  readonly fault?: string;
  readonly anyOf?: readonly TSchema[];
}

const withoutNull = (schema: TSchema & Annotated): { inner: TSchema & Annotated; nullable: boolean } => {
  const [inner, last] = schema.anyOf ?? [];
  return inner !== undefined && last !== undefined && Type.IsNull(last)
    ? { inner, nullable: true }
    : { inner: schema, nullable: false };
};

/**
 * The messages for a structured field (opening hours, permissions), one for each invalid part. A plain value needs only
 * the field's own message, so the library's errors are not used for it.
 */
const issuesWithin =
  (checkerOf: ReturnType<typeof compiledOnUse>, fault: string) =>
  (path: string, value: unknown): Issue[] => {
    if (typeof value !== "object") return [{ path, message: fault }];
    const parts = new Set(
      checkerOf()
        .Errors(value)
        .filter((error) => error.instancePath !== "")
        .map((error) => error.instancePath.slice(1).replaceAll("/", ".")),
    );
    return parts.size === 0
      ? [{ path, message: fault }]
      : [...parts].map((part) => ({ path: `${path}.${part}`, message: `not valid: ${path} ${fault}` }));
  };

const fieldOf = (schema: TSchema, required: boolean): Field => {
  const { inner, nullable } = withoutNull(schema);
  const checkerOf = compiledOnUse(inner);
  const fault = inner.fault ?? "is not valid";
  return { required, nullable, accepts: (value) => checkerOf().Check(value), issues: issuesWithin(checkerOf, fault) };
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Compiles an object schema into a validator. `readOnly` fields are accepted and dropped, and `nullable` fields accept
 * `null`. Unknown fields are issues, so that a misspelt field is never silently ignored. `rules` adds issues that
 * depend on several fields, the clock or the caller; it gets only the valid fields.
 */
export const validator = <Schema extends TObject>(
  schema: Schema,
  readOnly: readonly string[] = [],
): Validator<Static<Schema>> => {
  const required = new Set<string>(schema.required ?? []);
  const fields = new Map(
    Object.entries<TSchema>(schema.properties).map(([name, field]) => [name, fieldOf(field, required.has(name))]),
  );
  const mandatory = [...required];
  const ignored = new Set(readOnly);

  return {
    parse(input, rules, faults) {
      if (!isRecord(input)) return invalid({ path: "", message: "the body must be a JSON object" });
      const issues = new Issues();
      const accepted: Record<string, unknown> = {};
      for (const name of Object.keys(input)) {
        const field = fields.get(name);
        const value = input[name];
        if (field === undefined) {
          if (!ignored.has(name)) issues.add(name, "is not a known field");
        } else if (value === null) {
          if (field.nullable) accepted[name] = null;
          else issues.add(name, "must not be null");
        } else if (field.accepts(value)) accepted[name] = value;
        else if (faults?.[name] === undefined) issues.storeAll(field.issues(name, value));
        else issues.add(name, faults[name]);
      }
      for (const name of mandatory) if (input[name] === undefined) issues.add(name, "is required");
      if (rules !== undefined) issues.storeAll(rules(accepted));
      return issues.list.length > 0
        ? new Failure({ kind: "invalid", issues: issues.list, omitted: issues.omitted })
        : (accepted as Static<Schema>);
    },
  };
};

/** Returns a failure if a change contains no field. */
export const requireChange = <Changes extends object>(changes: Outcome<Changes>): Outcome<Changes> =>
  changes instanceof Failure || Object.keys(changes).length > 0
    ? changes
    : invalid({ path: "", message: "the body names no field to change" });
