import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

/**
 * A schema's compiled check, made on first use. Compiling all schemas would slow the start, and few are needed at
 * first.
 */
export const compiledOnUse = (schema: TSchema): (() => ReturnType<typeof Compile>) => {
  let compiled: ReturnType<typeof Compile> | null = null;
  return () => {
    compiled ??= Compile(schema);
    return compiled;
  };
};
