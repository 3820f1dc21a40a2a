import { beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { CONTEXT_COLUMN_NAMES, RECORD_COLUMN_NAMES } from "../../adapters/sql/audit/trail.ts";
import type { Reply } from "../support/client.ts";
import { ANSWERING, connect } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { readOn, unread } from "../support/paused-reader.ts";
import {
  type Caller,
  type CreatedKey,
  create,
  keyBody,
  NORTH,
  SOUTH,
  SOUTH_MARK,
  userBody,
  vehicleBody,
} from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { heldSnapshots } from "../support/snapshots.ts";
import { recordsOf } from "../support/tables.ts";

/** Each character takes one byte in the database and six in the answer. */
const LONG_TEXT = "\u0001".repeat(20_000);
/** More than fits into the buffers of a client that does not read. */
const LONG = 80;
/** More records than are read at a time. */
const MANY = 230;
const FORMULA = '=HYPERLINK("https://example.com")\t+1';

/** Each export with its list, the column of names, and a caller without a dealer. */
const EXPORTS = [
  { name: "the audit log", file: "audit", list: "/api/audit", named: "record_name", user: "super-admin's user" },
  { name: "keys", file: "keys", list: "/api/keys", named: "name", user: "free user" },
] as const;
type Export = (typeof EXPORTS)[number];

const FORMS = [
  { format: "csv", type: "text/csv; charset=utf-8", rows: (text: string) => recordsOf(text) },
  { format: "tsv", type: "text/tab-separated-values; charset=utf-8", rows: (text: string) => recordsOf(text, "\t") },
  {
    format: "ndjson",
    type: "application/x-ndjson; charset=utf-8",
    rows: (text: string) =>
      text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
  },
] as const;

type Entry = Readonly<Record<string, unknown>>;

/** The audit log keeps the beginnings of long texts only: so each entry is there as often as makes a long export. */
const TIMES = 20;
const COLUMNS = [...CONTEXT_COLUMN_NAMES, ...RECORD_COLUMN_NAMES].map((name) => `"${name}"`).join(", ");
const repeatEntries = async (url: string): Promise<void> => {
  const db = connect(url);
  await db.migrate(async (run) => {
    await run(`INSERT INTO audit_entries (${COLUMNS})
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${TIMES})
      SELECT ${COLUMNS} FROM audit_entries CROSS JOIN numbers WHERE resource = 'keys'`);
  });
  await db.close();
};

/** These requests themselves change the last use of a key. */
const still = ({ last_used_at: _, ...rest }: Entry): Entry => rest;

for (const engine of ANSWERING)
  describe(`an export of records on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const secrets: string[] = [];
    let since = "";

    beforeAll(async () => {
      for (let made = 0; made < LONG; made++)
        await create(fixture.api, "/api/keys", keyBody({ app_type: "desktop", description: LONG_TEXT }));
      await repeatEntries(fixture.service.databaseUrl);
      since = (await create<CreatedKey & { created_at: string }>(fixture.api, "/api/keys", keyBody())).created_at;
      for (let made = 0; made < MANY; made++)
        secrets.push(
          (
            await create<CreatedKey>(
              fixture.api,
              "/api/keys",
              keyBody({
                name: made % 2 === 0 ? `Lot ${made}` : `${SOUTH_MARK} lot ${made}`,
                dealer_id: made % 2 === 0 ? NORTH : SOUTH,
              }),
            )
          ).api_key,
        );
      for (const dealer_id of [NORTH, SOUTH])
        await create(fixture.api, "/api/keys", keyBody({ name: FORMULA, app_id: "formula", dealer_id }));
      await create(fixture.api, "/api/users", userBody({ name: "Southern Robin", dealer_id: SOUTH }));
      secrets.push(...Object.values(fixture.records.keys).map(({ api_key }) => api_key), fixture.service.superAdminKey);
    });

    /** The filter of the records that are short. */
    const shortOf = ({ file }: Export): string => (file === "keys" ? "app_type=web" : `from=${since}`);
    const answered = (caller: Caller, path: string) => fixture.as(caller, { method: "GET", path });
    const listed = async (caller: Caller, { list }: Export, query = ""): Promise<readonly Entry[]> => {
      const { status, body } = await fixture.as<Entry[]>(caller, {
        method: "GET",
        path: `${list}?limit=1000&${query}`,
      });
      expect(status).toBe(200);
      return body;
    };

    for (const exported of EXPORTS)
      for (const { format, type, rows } of FORMS)
        for (const caller of ["super-admin", "north", "north's admin", exported.user] as const)
          test(`of ${exported.name} as ${format} has for the ${caller} what the list has, in the list's order`, async () => {
            const path = `${exported.list}/export?format=${format}&${shortOf(exported)}`;
            const { headers, text } = await answered(caller, path);
            const wanted = await listed(caller, exported, shortOf(exported));
            expect([headers.get("content-type"), headers.get("content-disposition")]).toEqual([
              type,
              `attachment; filename="${exported.file}.${format}"`,
            ]);
            expect(headers.get("x-total-count")).toBe(String(wanted.length));
            const read: readonly Entry[] = rows(text);
            if (format === "ndjson") expect(read.map(still)).toEqual(wanted.map(still));
            else expect(read.map(({ id }) => Number(id))).toEqual(wanted.map(({ id }) => Number(id)));
          });

    for (const exported of EXPORTS)
      test(`of ${exported.name} has the same table as CSV and as TSV`, async () => {
        const csv = await answered("super-admin", `${exported.list}/export?spreadsheet=false&${shortOf(exported)}`);
        const tsv = await answered(
          "super-admin",
          `${exported.list}/export?spreadsheet=false&${shortOf(exported)}&format=tsv`,
        );
        expect(recordsOf(tsv.text, "\t").map(still)).toEqual(recordsOf(csv.text).map(still));
      });

    for (const exported of EXPORTS)
      test(`of ${exported.name} has no text that a spreadsheet evaluates, unless the raw text is requested`, async () => {
        const namesIn = async (query: string, separator: "," | "\t" = ",") => {
          const { text } = await answered("super-admin", `${exported.list}/export?${shortOf(exported)}&${query}`);
          return recordsOf(text, separator).map((row) => row[exported.named] ?? "");
        };
        const safe = await namesIn("");
        expect(safe).toContain(`'${FORMULA.replace("\t+", "\t'+")}`);
        expect(safe).not.toContain(FORMULA);
        for (const [query, separator] of [
          ["spreadsheet=true", ","],
          ["format=tsv", "\t"],
        ] as const)
          expect(await namesIn(query, separator)).toEqual(safe);
        for (const [query, separator] of [
          ["spreadsheet=false", ","],
          ["format=tsv&spreadsheet=0", "\t"],
        ] as const)
          expect(await namesIn(query, separator)).toContain(FORMULA);
        const { text } = await answered(
          "super-admin",
          `${exported.list}/export?${shortOf(exported)}&format=ndjson&spreadsheet=true`,
        );
        expect(text).toContain(JSON.stringify(FORMULA));
      });

    for (const exported of EXPORTS)
      for (const { format } of FORMS)
        test(`of ${exported.name} as ${format} has no secret, no hash of a secret, and for a dealer nothing of another`, async () => {
          for (const caller of ["super-admin", "north", "north's admin"] as const) {
            const { status, text } = await answered(
              caller,
              `${exported.list}/export?format=${format}&spreadsheet=false&${shortOf(exported)}`,
            );
            expect([status, text.includes("Lot 2")]).toEqual([200, true]);
            for (const secret of secrets) {
              const hash = createHash("sha256").update(secret);
              if (text.includes(secret)) throw new Error(`a secret is in what the ${caller} gets`);
              if (text.includes(hash.copy().digest("hex")) || text.includes(hash.digest("base64")))
                throw new Error(`the hash of a secret is in what the ${caller} gets`);
            }
            expect(text).not.toMatch(/[0-9a-f]{40}|api_key"|"hash"/);
            expect(text.includes(SOUTH_MARK)).toBe(caller === "super-admin");
          }
          const other = await answered("north", `${exported.list}/export?format=${format}&dealer_id=${SOUTH}`);
          expect([other.status, other.text.includes(SOUTH_MARK)]).toEqual([200, false]);
          for (const caller of ["powerless", "north's powerless"] as const)
            expect((await answered(caller, `${exported.list}/export?format=${format}`)).status).toBe(403);
        });

    for (const exported of EXPORTS)
      test(`of ${exported.name} is refused with the name of a wrong parameter`, async () => {
        for (const query of ["format=xlsx", "format=", "spreadsheet=perhaps"]) {
          const refused = await fixture.api<{ details: { path: string }[] }>("GET", `${exported.list}/export?${query}`);
          expect([refused.status, refused.body.details.map(({ path }) => path)]).toEqual([
            400,
            [query.split("=")[0] as string],
          ]);
        }
      });

    for (const exported of EXPORTS)
      test(`of ${exported.name} is gzipped on request with the same content, and HEAD answers with the headers alone`, async () => {
        const ask = (method: string, encoding: string) =>
          fetch(`${fixture.service.url}${exported.list}/export?${shortOf(exported)}&dealer_id=${SOUTH}`, {
            method,
            decompress: false,
            headers: { "x-api-key": fixture.service.superAdminKey, "accept-encoding": encoding },
          });
        const plain = await ask("GET", "identity");
        const text = await plain.text();
        const packed = await ask("GET", "gzip");
        expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(text);
        const head = await ask("HEAD", "gzip");
        expect((await head.arrayBuffer()).byteLength).toBe(0);
        const answers = [plain, packed, head].map(({ headers }) => headers);
        expect(answers.map((headers) => headers.get("content-encoding"))).toEqual([null, "gzip", "gzip"]);
        for (const headers of answers) {
          expect(headers.get("vary")).toContain("Accept-Encoding");
          expect(headers.get("x-total-count")).toBe(String(recordsOf(text).length));
        }
      });

    /** A client that has the beginning of an export, and its own key, which may read everything. */
    const begun = async (exported: Export) => {
      const permissions = pairs("vehicles:read", "audit:read", "keys:read");
      const key = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ permissions }));
      return { key, answer: await unread(fixture.service.url, `${exported.list}/export?format=ndjson`, key.api_key) };
    };

    /** The answers to each export with this key, which is refused a place: all wait at once, for two seconds. */
    const waitedInVain = (key: string): Promise<readonly Reply<unknown>[]> =>
      Promise.all(
        ["/api/vehicles/export", "/api/audit/export", "/api/keys/export"].map((path) =>
          eventually(
            () => fixture.api("GET", path, { key }),
            ({ status }) => status === 503,
          ),
        ),
      );

    for (const exported of EXPORTS)
      test(`of ${exported.name} that nobody reads makes its caller's other exports wait, and ends with its key`, async () => {
        const { key, answer } = await begun(exported);
        for (const waited of await waitedInVain(key.api_key)) expect(waited.headers.get("retry-after")).toBe("1");
        // Lists, and other callers' exports, do not wait.
        expect((await fixture.api("GET", "/api/vehicles", { key: key.api_key })).status).toBe(200);
        expect((await fixture.api("GET", `${exported.list}/export?format=ndjson`)).status).toBe(200);
        expect((await fixture.api("POST", `/api/keys/${key.id}/revoke`)).status).toBe(200);
        const text = await readOn(answer);
        expect(text).toStartWith("HTTP/1.1 200");
        expect(text.endsWith("\r\n0\r\n\r\n")).toBe(false);
      });

    for (const exported of EXPORTS)
      test(`of ${exported.name} ends when the caller loses a permission that decides what it shows`, async () => {
        const { key, answer } = await begun(exported);
        const taken = await fixture.api("DELETE", `/api/keys/${key.id}/permissions/vehicles/read`);
        expect(taken.status).toBe(200);
        expect((await readOn(answer)).endsWith("\r\n0\r\n\r\n")).toBe(false);
      });

    for (const exported of EXPORTS)
      test(`of ${exported.name} holds a snapshot while it is read, and releases it when its client goes away`, async () => {
        const held = heldSnapshots({
          engine: engine.name === "SQLite" ? "sqlite" : "postgres",
          url: fixture.service.databaseUrl,
        });
        const { answer } = await begun(exported);
        await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
        await held.become(1);
        answer.socket.destroy();
        await held.become(0);
        await held.close();
      });

    test("runs for at most four callers at once, whatever they export, and a fifth waits in vain", async () => {
      const keys = await Promise.all([EXPORTS[0], EXPORTS[1], EXPORTS[0], EXPORTS[1]].map(begun));
      await waitedInVain(fixture.service.superAdminKey);
      for (const { answer } of keys) answer.socket.destroy();
      const free = () => fixture.api("GET", "/api/keys/export?app_type=mobile");
      await eventually(free, ({ status }) => status === 200);
    });
  });
