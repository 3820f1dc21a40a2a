import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

/**
 * A schema's compiled check, made when the first value comes: all of them together would be a third of what it takes
 * to start, and few are used in the first second.
 */
export const compiledOnUse = (schema: TSchema): (() => ReturnType<typeof Compile>) => {
  let compiled: ReturnType<typeof Compile> | null = null;
  return () => {
    compiled ??= Compile(schema);
    return compiled;
  };
};
