import type { SqlValue } from "../query/statement.ts";

/** The data with which a reading thread starts. */
export interface ReadingThreadData {
  readonly file: string;
}

/** A SELECT for a reading thread. A message of `null` ends the thread. */
export interface ReadRequest {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** The rows as JSON text, or SQLite's error. Text passes between threads five times faster than objects. */
export type ReadResult = { readonly rows: string } | { readonly message: string; readonly code: string };
