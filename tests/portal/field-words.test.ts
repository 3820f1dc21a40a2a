import { describe, expect, test } from "bun:test";
import { issueMessage, labelOfPath } from "../../adapters/portal/forms/issue-messages.ts";
import type { Issue } from "../../core/issues.ts";
import type { Field } from "../http/field-kinds.ts";
import { RESOURCES } from "../http/field-tables.ts";
import { DEEP } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { create } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

/** Technical terms, which no message at a field may contain. */
const TECHNICAL =
  /NUL|surrogate|null|\bmust\b|_|[{}<>]|JSON|ISO|object|\btrue\b|\bfalse\b|9007199254740991|2147483647|is not valid/i;

/** Texts that users may type into a field. */
const TYPED = ["", "   ", "x".repeat(30_000), "abc", "-1", "99999999999999999999", "a\0b", "lone \ud800"];

type Values = Readonly<Record<string, unknown>>;

/**
 * What is sent to have the refusals of these fields: each of its wrong values alone, and what users type. That goes
 * into all fields at once in the gate, for the service names every field that it refuses.
 */
const trials = (fields: Readonly<Record<string, Field>>): (readonly [wrong: Values, others: Values])[] => {
  const names = Object.keys(fields);
  const into = (some: readonly string[], value: unknown) => Object.fromEntries(some.map((name) => [name, value]));
  const alone = (values: (field: Field) => readonly unknown[]) =>
    Object.entries(fields).flatMap(([name, field]) =>
      values(field).map((value) => [into([name], value), field.with ?? {}] as const),
    );
  const typed = DEEP ? alone(() => TYPED) : TYPED.map((text) => [into(names, text), {}] as const);
  return [...alone(({ refuses }) => refuses), ...typed];
};

const [engine] = ENGINES;
if (engine === undefined) throw new Error("there is no engine");

describe("the form explains every refusal without technical terms:", () => {
  const fixture = serviceFixture(engine);
  const faultsOf = async (method: "POST" | "PUT", path: string, body: object): Promise<readonly Issue[]> =>
    (await fixture.api<{ details?: readonly Issue[] }>(method, path, { body })).body.details ?? [];

  for (const { name, path, body, created, changed } of RESOURCES)
    test(`every field of a ${name}, as an input and as a choice`, async () => {
      const { id } = await create(fixture.api, path, body());
      const said = new Set<string>();
      for (const [method, at, fields] of [
        ["POST", path, created],
        ["PUT", `${path}/${id}`, changed],
      ] as const)
        for (const [values, others] of trials(fields)) {
          const whole = method === "POST" ? body() : {};
          for (const issue of await faultsOf(method, at, { ...whole, ...others, ...values }))
            for (const isChosen of [true, false]) {
              const value = values[issue.path.split(/[/.[]/)[0] ?? ""];
              said.add(issueMessage(issue, { label: labelOfPath(issue.path), value, isChosen }));
            }
        }
      expect([...said].filter((words) => TECHNICAL.test(words))).toEqual([]);
      expect(said.size).toBeGreaterThan(0);
    });

  test("fields that are missing, and fields that contradict each other", async () => {
    const said: string[] = [];
    for (const [path, body] of [
      ["/api/vehicles", {}],
      ["/api/dealers", {}],
      ["/api/keys", {}],
      ["/api/users", {}],
      ["/api/keys", { name: "n", app_type: "web", app_id: "a", dealer_id: 1, user_id: 1 }],
      ["/api/keys", { name: "n", app_type: "web", app_id: "a", association: "none", dealer_id: 1 }],
      ["/api/keys", { name: "n", app_type: "web", app_id: "a", user_id: 999_999 }],
      ["/api/keys", { name: "n", app_type: "web", app_id: "a", dealer_id: 999_999 }],
      ["/api/users", { name: "n", email: "n@example.com", role: "dealer_admin" }],
      ["/api/users", { name: "n", email: "n@example.com", role: "super_admin", dealer_id: 1 }],
      ["/api/webhooks", {}],
      ["/api/webhooks", { url: "no address", events: [], max_per_second: 101, dealer_id: 0 }],
      ["/api/webhooks", { url: "https://me:secret@hooks.example.com:22", events: ["feed.held"], description: 5 }],
      ["/api/webhooks", { url: "https://[::1]/hook", events: ["feed.held"] }],
      ["/api/webhooks", { url: "http://hooks.example.com/", events: ["feed.held"] }],
    ] as const)
      for (const issue of await faultsOf("POST", path, body))
        said.push(issueMessage(issue, { label: labelOfPath(issue.path) }));
    expect(said.filter((words) => TECHNICAL.test(words))).toEqual([]);
    expect(said.length).toBeGreaterThan(20);
  });
});

describe("the message says what to do:", () => {
  const WHOLE = "must be a whole number from 1 to 9007199254740991";
  for (const [message, field, words] of [
    ["must not be null", { label: "Price", value: "" }, "Enter a price"],
    ["is required", { label: "Email", value: "" }, "Enter an email address"],
    ["is required for a dealer_admin", { label: "Dealer", value: "", isChosen: true }, "Choose a dealer"],
    [WHOLE, { label: "Dealer", value: "", isChosen: true }, "Choose a dealer"],
    [WHOLE, { label: "User", value: "", isChosen: true }, "Choose a user"],
    [WHOLE, { label: "Dealer number", value: "x" }, "Enter a whole number, 1 or more"],
    [
      "must be a whole number from 1886 to 2028",
      { label: "Year", value: "1700" },
      "Enter a whole number from 1886 to 2028",
    ],
    [
      "must be a number from 0 to 100000000 with up to 2 decimals",
      { label: "Price", value: "25 thousand" },
      "Enter a number, such as 25,999.99",
    ],
    [
      "must be a number from 0 to 100000000 with up to 2 decimals",
      { label: "Price", value: "1.234" },
      "Enter a number from 0 to 100,000,000, with up to 2 decimals",
    ],
    [
      "must be text of 1 to 100 characters, not blank, without NUL characters or lone surrogates",
      { label: "Make", value: "x".repeat(101) },
      "Up to 100 characters",
    ],
    [
      "must be text of 1 to 100 characters, not blank, without NUL characters or lone surrogates",
      { label: "Make", value: " " },
      "Enter a make",
    ],
    [
      "must be 1 to 32 letters, digits or hyphens",
      { label: "VIN", value: "a b" },
      "Up to 32 letters, digits and hyphens, and nothing else",
    ],
    ["must be a number from -90 to 90", { label: "Latitude", value: "120" }, "Enter a number from -90 to 90"],
    [
      "must be sent with longitude: both are set, or neither",
      { label: "Latitude", value: "12" },
      "Enter both latitude and longitude, or neither",
    ],
    [
      "must not be before the vehicle was listed, which was at 2026-11-20T09:11:00.000Z",
      { label: "Sold at", value: "2026-11-01" },
      "Choose a date after the vehicle was listed",
    ],
    ["dealer 7 does not exist", { label: "Dealer number", value: "7" }, "There is no such dealer. Choose another"],
    ["is another user's", { label: "Email", value: "a@example.com" }, "Is another user's"],
  ] as const)
    test(`${field.label} ${message} (${field.value.slice(0, 12)})`, () =>
      expect(issueMessage({ path: "any", message }, field)).toBe(words));
});
