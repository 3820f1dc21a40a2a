import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

type Check = ReturnType<typeof Compile>;

/** Many routes have parameters of the same schema. */
const made = new WeakMap<TSchema, Check>();
/** Schemas that any request may use, and that are not compiled yet. */
const expected: TSchema[] = [];

const compiled = (schema: TSchema): Check => {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const check = Compile(schema);
  made.set(schema, check);
  return check;
};

/**
 * The compiled check of a schema, made at the first use. Compiling all schemas would slow down the start, which needs
 * only a few of them.
 */
export const compiledOnUse = (schema: TSchema): (() => Check) => {
  let check: Check | null = null;
  return () => {
    check ??= compiled(schema);
    return check;
  };
};

/** The same for a schema of which one request may use many. They can be compiled ahead; see `compileNextExpected`. */
export const compiledAhead = (schema: TSchema): (() => Check) => {
  expected.push(schema);
  return compiledOnUse(schema);
};

/** Compiles one of the checks that are expected to be used. Returns false if there is none left. */
export const compileNextExpected = (): boolean => {
  for (let schema = expected.pop(); schema !== undefined; schema = expected.pop()) {
    if (made.has(schema)) continue;
    compiled(schema);
    return true;
  }
  return false;
};
