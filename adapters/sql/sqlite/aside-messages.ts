import type { SqlValue } from "../query/statement.ts";

/** What a reading thread is started with. */
export interface AsidePlace {
  readonly file: string;
}

/** A SELECT for a reading thread. It is sent `null` to end. */
export interface AsideQuestion {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** The rows as JSON text, which passes between threads five times faster than objects do; or SQLite's error. */
export type AsideAnswer = { readonly rows: string } | { readonly message: string; readonly code: string };
