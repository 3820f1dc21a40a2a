import { expect } from "bun:test";
import type { Import, ImportRow } from "../../../core/imports/import.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { expectReply } from "../../support/cases.ts";
import type { TestEngine } from "../../support/engines.ts";
import { eventually } from "../../support/eventually.ts";
import { create, dealerBody } from "../../support/sample-records.ts";
import { serviceFixture } from "../../support/service-fixture.ts";

export const CSV = { "content-type": "text/csv" };
/** The headings of most files. */
export const HEAD = "VIN,Stock Number,Year,Make,Model,Price";

interface Sending {
  readonly dealer?: number | null;
  readonly options?: string;
  readonly key?: string;
  readonly raw: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service, and functions that send files to it and read the results. */
export const importsOn = (engine: TestEngine, environment: Readonly<Record<string, string>> = {}) => {
  const fixture = serviceFixture(engine, environment);

  const newDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;

  const post = ({ dealer = null, options = "", key, raw, headers = CSV }: Sending) =>
    fixture.api<Import>("POST", `/api/imports?${dealer === null ? "" : `dealer_id=${dealer}&`}${options}`, {
      raw,
      headers,
      ...(key !== undefined && { key }),
    });

  /** The import once it no longer runs or waits in the queue. */
  const rested = async (id: number): Promise<Import> =>
    (
      await eventually(
        () => fixture.api<Import>("GET", `/api/imports/${id}`),
        ({ body }) => body.state !== "queued" && body.state !== "running",
      )
    ).body;

  /** Sends a file, and returns its import once that no longer runs. */
  const imported = async (sending: Sending): Promise<Import> => {
    const reply = await post(sending);
    expectReply(reply, { status: 202 });
    // The runner may have begun it before the answer is read.
    expect(["queued", "running"]).toContain(reply.body.state);
    expect(reply.headers.get("location")).toBe(`/api/imports/${reply.body.id}`);
    return rested(reply.body.id);
  };

  const rowsOf = async (id: number, query = ""): Promise<readonly ImportRow[]> =>
    (await fixture.api<{ data: ImportRow[] }>("GET", `/api/imports/${id}/rows?${query}`)).body.data;

  const vehiclesOf = async (dealer: number): Promise<readonly Vehicle[]> =>
    (await fixture.api<{ vehicles: Vehicle[] }>("GET", `/api/vehicles?dealer_id=${dealer}`)).body.vehicles;

  return { fixture, newDealer, post, rested, imported, rowsOf, vehiclesOf };
};
