import { expect, test } from "bun:test";
import type { Reply, Sent } from "./client.ts";
import type { Caller } from "./sample-records.ts";
import type { ServiceFixture } from "./service-fixture.ts";

/** One line of a table of requests. */
export interface Case {
  /** The guarantee it tests. */
  readonly name: string;
  /** Method and path, such as `GET /api/vehicles`. */
  readonly send: string;
  /** Whose key is sent: by default the super-admin's; `null` sends none. */
  readonly by?: Caller | null;
  readonly body?: unknown;
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** The expected error code. */
  readonly code?: string;
  /** Expected parts of the body, as for `toMatchObject`. */
  readonly has?: object;
  /** All fields that the error names. */
  readonly faults?: readonly string[];
  /** Headers of the answer; `null` for one that must be absent. */
  readonly gives?: Readonly<Record<string, string | RegExp | null>>;
  /** Texts that must not be in the answer. */
  readonly hides?: readonly string[];
}

/** The fields that an error names, sorted. */
export const faultsOf = ({ body }: Reply): string[] =>
  ((body as { details?: { path: string }[] }).details ?? []).map(({ path }) => path).sort();

/** Checks an answer against its line of the table. */
export const expectReply = (reply: Reply, { status, code, has, faults, gives, hides }: Omit<Case, "name" | "send">) => {
  expect({ status: reply.status, text: reply.text }).toEqual({ status, text: reply.text });
  if (code !== undefined) expect(reply.body).toMatchObject({ code });
  if (has !== undefined) expect(reply.body).toMatchObject(has);
  if (faults !== undefined) expect(faultsOf(reply)).toEqual([...faults].sort());
  for (const [name, value] of Object.entries(gives ?? {})) {
    const given = reply.headers.get(name);
    if (value === null || typeof value === "string") expect([name, given]).toEqual([name, value]);
    else expect(given ?? `no ${name}`).toMatch(value);
  }
  for (const hidden of hides ?? []) expect(reply.text).not.toContain(hidden);
};

/** Sends one line of a table. */
export const sendCase = (fixture: ServiceFixture, { send, by, body, raw, headers }: Case): Promise<Reply> => {
  const [method = "", path = ""] = send.split(" ");
  const key = by === null ? null : by === undefined ? undefined : fixture.records.keys[by].api_key;
  const sent: Sent = {
    ...(key !== undefined && { key }),
    ...(body !== undefined && { body }),
    ...(headers !== undefined && { headers }),
    raw,
  };
  return fixture.api(method, path, sent);
};

/** One test for each line of a table. */
export const testCases = (fixture: ServiceFixture, cases: readonly Case[]): void => {
  for (const one of cases)
    test(one.name, async () => {
      expectReply(await sendCase(fixture, one), one);
    });
};
