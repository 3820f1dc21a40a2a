/**
 * What the gate tries again on the compiled program: what the build can break, without what is a `sourcesTest`. The deep
 * run tries all that a client can see.
 */
export const SMOKE: readonly string[] = [
  // The router reads its handlers' text: every route, each with its body, query and headers. The examples also find
  // places by their ZIP codes, and read on the threads.
  "tests/http/routes.test.ts",
  "tests/http/documented-examples.test.ts",
  "tests/http/protocol.test.ts",
  "tests/http/conditional.test.ts",
  "tests/portal/accounts.test.ts",
  // The files that the program carries.
  "tests/http/documentation.test.ts",
  "tests/http/portal-pages.test.ts",
  // Passwords at the cost of production.
  "tests/portal/sign-in.test.ts",
  "tests/http/metrics.test.ts",
  "tests/http/long-answers.test.ts",
  "tests/http/export.test.ts",
  // Workbooks are read on threads of their own.
  "tests/http/imports/workbooks.test.ts",
];
