import { posix } from "node:path";
import type { Import } from "./imports.ts";

/** What a file and what it imports look like that must not come together; `$1` is the first group of `from.path`. */
export interface ImportRule {
  readonly name: string;
  readonly from: { readonly path?: string; readonly pathNot?: string };
  readonly to: {
    readonly path?: string;
    readonly pathNot?: string;
    /** True if types may be imported. */
    readonly mayBeType?: true;
  };
}

/** Files by their paths, each with what it imports. */
export type Files = ReadonlyMap<string, readonly Import[]>;

/** Names that stand for a file of the project. */
const OWN_NAMES: Readonly<Record<string, string>> = { "vehicle-inventory-client": "client/src/index.ts" };

/** What an import leads to: the path of a file, or the name of a module as `package:typebox` or `node:fs`. */
const targetOf = (files: Files, from: string, specifier: string): string => {
  if (!specifier.startsWith(".")) {
    const own = OWN_NAMES[specifier];
    return own ?? (specifier.includes(":") ? specifier : `package:${specifier}`);
  }
  const path = posix.join(posix.dirname(from), specifier);
  const found = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((candidate) => files.has(candidate));
  return found ?? path;
};

const made = new Map<string, RegExp>();
const expressionOf = (pattern: string): RegExp => {
  const expression = made.get(pattern) ?? new RegExp(pattern);
  made.set(pattern, expression);
  return expression;
};

const matches = (text: string, { path, pathNot }: ImportRule["from"], groups: readonly string[] = []): boolean => {
  const isThere = (pattern: string) => expressionOf(pattern.replace("$1", groups[1] ?? "$1")).test(text);
  return (path === undefined || isThere(path)) && !(pathNot !== undefined && isThere(pathNot));
};

/** Everything that breaks a rule, as `rule: file -> what it imports`. */
export const breachesOf = (files: Files, rules: readonly ImportRule[]): readonly string[] => {
  const breaches = new Set<string>();
  for (const [file, imports] of files) {
    const targets = imports.map(({ specifier, isTypeOnly }) => ({
      target: targetOf(files, file, specifier),
      isTypeOnly,
    }));
    for (const { name, from, to } of rules) {
      if (!matches(file, from)) continue;
      const groups = from.path === undefined ? [] : (expressionOf(from.path).exec(file) ?? []);
      for (const { target, isTypeOnly } of targets)
        if (!(isTypeOnly && to.mayBeType) && matches(target, to, groups)) breaches.add(`${name}: ${file} -> ${target}`);
    }
  }
  return [...breaches].sort();
};

/** Every circle in which files import each other, once, as `file -> … -> file` from where it was found. */
export const circlesOf = (files: Files): readonly string[] => {
  const circles: string[] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const follow = (file: string): void => {
    const place = way.indexOf(file);
    if (place >= 0) circles.push([...way.slice(place), file].join(" -> "));
    if (place >= 0 || done.has(file)) return;
    way.push(file);
    for (const { specifier } of files.get(file) ?? []) follow(targetOf(files, file, specifier));
    way.pop();
    done.add(file);
  };
  for (const file of [...files.keys()].sort()) follow(file);
  return circles;
};
