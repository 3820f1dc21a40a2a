type Method = (this: unknown, ...values: unknown[]) => unknown;

const METHODS = {
  text: [
    String.prototype,
    [
      ...["normalize", "toLowerCase", "toUpperCase", "trim", "split", "slice", "replace", "replaceAll", "match"],
      ...["matchAll", "includes", "indexOf", "lastIndexOf", "startsWith", "endsWith"],
    ],
  ],
  pattern: [RegExp.prototype, ["test", "exec"]],
} as const;

const lengthOf = (value: unknown): number => {
  if (typeof value === "string") return 1 + value.length;
  if (Array.isArray(value)) return 1 + value.reduce<number>((sum, each) => sum + lengthOf(each), 0);
  return 1;
};

/** The number of characters from where a pattern began to search to the end of what it found. */
const searchedBy = (
  pattern: RegExp,
  { from, text, result }: { readonly from: number; readonly text: unknown; readonly result: unknown },
): number => {
  const start = pattern.global || pattern.sticky ? from : 0;
  const end = Array.isArray(result)
    ? Number(Reflect.get(result, "index")) + String(result[0]).length
    : String(text).length;
  return 1 + end - start;
};

/**
 * The number of steps that some work takes: for each method of a text or a pattern that it calls, one, the characters it
 * looks at and the characters it returns. So it does not depend on how fast or busy the machine is.
 */
export const countingSteps = (work: () => unknown): number => {
  let steps = 0;
  let isWithin = false;
  const restore: (() => void)[] = [];
  for (const [prototype, names] of Object.values(METHODS))
    for (const name of names) {
      const original = Reflect.get(prototype, name) as Method;
      const counted: Method = function counted(...values) {
        // Methods that others call are part of those.
        if (isWithin) return original.apply(this, values);
        isWithin = true;
        try {
          const from = this instanceof RegExp ? this.lastIndex : 0;
          const result = original.apply(this, values);
          steps +=
            this instanceof RegExp
              ? searchedBy(this, { from, text: values[0], result })
              : (name === "slice" ? 0 : lengthOf(this)) + lengthOf(result);
          return result;
        } finally {
          isWithin = false;
        }
      };
      Reflect.defineProperty(prototype, name, { value: counted, writable: true, configurable: true });
      restore.push(
        () => void Reflect.defineProperty(prototype, name, { value: original, writable: true, configurable: true }),
      );
    }
  try {
    work();
  } finally {
    for (const undo of restore) undo();
  }
  return steps;
};
