import type { Area } from "./areas/area.ts";
import { COMMANDS } from "./areas/commands.ts";
import { AT_BROWSERS, RATE_LIMITS, REQUESTS_TO_OTHERS } from "./areas/edges.ts";
import { MATCHING_OF_IMPORTS } from "./areas/imports.ts";
import { LATER_CHANGES } from "./areas/later-changes.ts";
import { RULES_OF_ACCESS, RULES_OF_KEYS_AND_USERS } from "./areas/rules.ts";
import { SIGNING_IN } from "./areas/signing-in.ts";
import { STATEMENTS_ON_RECORDS } from "./areas/statements-on-records.ts";
import { STATEMENTS_ON_VIEWS } from "./areas/statements-on-views.ts";
import { STATEMENTS_ON_WORK } from "./areas/statements-on-work.ts";
import { http, onSqlite } from "./areas/tests.ts";
import { TURNS } from "./areas/turns.ts";

/** In the order in which they are named and tried. */
const AS_WRITTEN: readonly Area[] = [
  RULES_OF_ACCESS,
  ...STATEMENTS_ON_RECORDS,
  ...STATEMENTS_ON_WORK,
  ...STATEMENTS_ON_VIEWS,
  ...SIGNING_IN,
  ...RULES_OF_KEYS_AND_USERS,
  ...LATER_CHANGES,
  ...AT_BROWSERS,
  ...TURNS,
  REQUESTS_TO_OTHERS,
  MATCHING_OF_IMPORTS,
  RATE_LIMITS,
  ...COMMANDS,
];

/**
 * The contracts on SQLite alone come first: they cost least and kill most. What is left meets what is as written, and at
 * last every route on PostgreSQL.
 */
const ofStatements = (tests: Area["tests"]): Area["tests"] => {
  const named = [...new Set(tests.flat())].filter((word) => word.startsWith("tests/contracts/"));
  return [onSqlite(named), ...tests, http("on-postgresql")];
};

/** What to break, and which tests must fail. */
export const AREAS: readonly Area[] = AS_WRITTEN.map((area) =>
  area.operators === "statements" ? { ...area, tests: ofStatements(area.tests) } : area,
);
