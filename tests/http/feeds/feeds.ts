import type { TestEngine } from "../../support/engines.ts";
import { create, dealerBody, feedBody, vehicleBody } from "../../support/sample-records.ts";
import { serviceFixture } from "../../support/service-fixture.ts";

/** A feed in an answer. */
export interface Feed {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly dealer_ids: readonly number[] | null;
  readonly held: { readonly rows: number; readonly before: number } | null;
  readonly stopped: "off" | "held" | "not_readable" | null;
  readonly fetches: readonly { readonly status: number; readonly rows: number | null; readonly address: string }[];
  readonly currency: string;
  readonly active: boolean;
  readonly max_drop_percent: number;
}

/** A service, and functions that create feeds, fetch them and read their state. */
export const feedsOn = (engine: TestEngine) => {
  const fixture = serviceFixture(engine);

  const feedOf = (dealer: number, fields: object = {}): Promise<Feed> =>
    create<Feed>(fixture.api, "/api/feeds", feedBody(dealer, fields));
  const fetched = (url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> =>
    fetch(url, { method, headers });
  /** The values of one column of a feed, fetched as lines of JSON. */
  const columnOf = async (url: string, column: string): Promise<unknown[]> =>
    (await (await fetched(url.replace(/\.\w+$/, ".ndjson"))).text())
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line)[column]);
  /** A dealer with this many vehicles. */
  const lot = async (size: number): Promise<{ readonly dealer: number; readonly vehicles: readonly number[] }> => {
    const { id: dealer } = await create(fixture.api, "/api/dealers", dealerBody());
    const vehicles: number[] = [];
    for (let made = 0; made < size; made++)
      vehicles.push((await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { stock_number: `S${made}` }))).id);
    return { dealer, vehicles };
  };
  const remove = async (ids: readonly number[]): Promise<void> => {
    for (const id of ids) await fixture.api("DELETE", `/api/vehicles/${id}`);
  };
  const read = async (id: number): Promise<Feed> => (await fixture.api<Feed>("GET", `/api/feeds/${id}`)).body;

  return { fixture, feedOf, fetched, columnOf, lot, remove, read };
};
