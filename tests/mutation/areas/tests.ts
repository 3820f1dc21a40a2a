/** A test of the rules of access. */
export const ofAccess = (name: string): string => `tests/core/access/${name}.test.ts`;
/** Contracts of ports. */
export const contracts = (...names: readonly string[]): string[] =>
  names.map((name) => `tests/contracts/${name}.test.ts`);
/** Tests that start the program. */
export const commands = (...names: readonly string[]): string[] =>
  names.map((name) => `tests/commands/${name}.test.ts`);
/** Tests of commands in the tests' process. */
export const ofCommands = (...names: readonly string[]): string[] =>
  names.map((name) => `tests/app/commands/${name}.test.ts`);
/** Tests of the service over HTTP. */
export const http = (...names: readonly string[]): string[] => names.map((name) => `tests/http/${name}.test.ts`);
/** Tests of the portal. */
export const portal = (...names: readonly string[]): string[] => names.map((name) => `tests/portal/${name}.test.ts`);

/** Those of these tests that are on SQLite alone. */
export const onSqlite = (tests: readonly string[]): readonly string[] => [...tests, "-t", "SQLite"];

/** Every operation on the records of another dealer. */
export const OF_OTHERS = ["tests/core/access/use-cases.test.ts"] as const;
