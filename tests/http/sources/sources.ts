import { afterEach, expect } from "bun:test";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Import } from "../../../core/imports/import.ts";
import type { Source, SourceRun } from "../../../core/sources/source.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { expectReply } from "../../support/cases.ts";
import type { TestEngine } from "../../support/engines.ts";
import { eventually } from "../../support/eventually.ts";
import { create, dealerBody } from "../../support/sample-records.ts";
import { serviceFixture } from "../../support/service-fixture.ts";

/** How long a run or an import may take on a slow machine. */
export const WAIT_MS = 60_000;
export const HEAD = "VIN,Year,Make,Model,Price";
/** A file of these vehicles. */
export const fileOf = (...vins: readonly string[]): string =>
  `${HEAD}\n${vins.map((vin) => `${vin},2020,Kia,Rio,9000\n`).join("")}`;

interface RecordedRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** Sites on this machine, which close after each test of the surrounding file or `describe`. */
export const openSites = () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  /** A site that serves files, and records the requests. */
  const siteOf = async (answer: RequestListener) => {
    const requests: RecordedRequest[] = [];
    const server = createServer((request, response) => {
      requests.push({ url: request.url ?? "", headers: request.headers });
      answer(request, response);
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    closing.push(() => void server.close());
    return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/lot.csv` };
  };

  /** A file with a tag, answered with 304 to a client that has it. */
  const taggedSite = (file: () => { readonly text: string; readonly tag: string }) =>
    siteOf((request, response) => {
      const { text, tag } = file();
      const isKnown = request.headers["if-none-match"] === tag;
      response.writeHead(isKnown ? 304 : 200, { etag: tag, "content-type": "text/csv" }).end(isKnown ? "" : text);
    });

  return { siteOf, taggedSite };
};

/** A service that may fetch from this machine, with sites, and functions that create and run sources. */
export const sourcesOn = (engine: TestEngine) => {
  const fixture = serviceFixture(engine, { EGRESS_ALLOW: "127.0.0.0/8" });

  const newDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;

  const bodyOf = (dealer_id: number, url: string, fields: object = {}) => ({
    name: "Nightly file",
    dealer_id,
    url,
    schedule: "30 2 * * *",
    ...fields,
  });

  const made = async (dealer: number, url: string, fields: object = {}): Promise<Source> => {
    const reply = await fixture.api<Source>("POST", "/api/import-sources", { body: bodyOf(dealer, url, fields) });
    expectReply(reply, { status: 201 });
    expect(reply.headers.get("location")).toBe(`/api/import-sources/${reply.body.id}`);
    return reply.body;
  };

  const read = async (id: number): Promise<Source> =>
    (await fixture.api<Source>("GET", `/api/import-sources/${id}`)).body;

  /** The result of another run. */
  const nextRun = async (id: number, start: () => Promise<unknown>): Promise<SourceRun> => {
    const { runs: before } = await read(id);
    await start();
    const { runs } = await eventually(
      () => read(id),
      (source) => source.runs[0] !== undefined && source.runs[0].at !== before[0]?.at,
    );
    return runs[0] as SourceRun;
  };
  const ran = (id: number): Promise<SourceRun> =>
    nextRun(id, async () => expectReply(await fixture.api("POST", `/api/import-sources/${id}/run`), { status: 202 }));

  const importOf = async ({ import_id }: SourceRun): Promise<Import> =>
    (
      await eventually(
        () => fixture.api<Import>("GET", `/api/imports/${import_id}`),
        ({ body }) => body.state !== "queued" && body.state !== "running",
      )
    ).body;

  const statusesOf = async (dealer: number): Promise<Readonly<Record<string, string>>> => {
    const path = `/api/vehicles?dealer_id=${dealer}&status=available&status=sold&status=pending&limit=100`;
    const { body } = await fixture.api<{ vehicles: Vehicle[] }>("GET", path);
    return Object.fromEntries(body.vehicles.map(({ vin, status }) => [vin ?? "", status]).sort());
  };

  const actionsOf = async (id: number): Promise<readonly string[]> => {
    const path = "/api/audit?resource=sources&limit=1000";
    const { body } = await fixture.api<{ action: string; resource_id: number }[]>("GET", path);
    return body.filter(({ resource_id }) => resource_id === id).map(({ action }) => action);
  };

  return { fixture, newDealer, bodyOf, made, read, nextRun, ran, importOf, statusesOf, actionsOf, ...openSites() };
};
