import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Timestamp } from "../../../core/clock.ts";
import { param } from "./statement.ts";

/** The condition that a record still has one of these versions. If the list is empty, no record matches. */
export const versionsIn = (versions: readonly Timestamp[]): RawBuilder<SqlBool> =>
  versions.length === 0
    ? sql<SqlBool>`1 = 0`
    : sql<SqlBool>`updated_at IN (${sql.join(versions.map((_, index) => param(`version${index}`)))})`;

/** The values for `versionsIn`. */
export const versionValues = (versions: readonly Timestamp[]): Record<string, string> =>
  Object.fromEntries(versions.map((version, index) => [`version${index}`, version]));
