import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

/**
 * The compiled check of a schema, made at the first use. Compiling all schemas would slow down the start, which needs
 * only a few of them.
 */
export const compiledOnUse = (schema: TSchema): (() => ReturnType<typeof Compile>) => {
  let compiled: ReturnType<typeof Compile> | null = null;
  return () => {
    compiled ??= Compile(schema);
    return compiled;
  };
};
