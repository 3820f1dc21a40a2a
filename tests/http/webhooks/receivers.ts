import { afterEach } from "bun:test";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Delivery, Webhook } from "../../../core/webhooks/webhook.ts";
import type { Reply } from "../../support/client.ts";
import { eventually } from "../../support/eventually.ts";
import { create } from "../../support/sample-records.ts";
import type { ServiceFixture } from "../../support/service-fixture.ts";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A message as its receiver reads it. */
export interface Message {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly id: number; readonly changed: readonly string[] };
}

export const messageIn = ({ body }: Received): Message => JSON.parse(body);
export const typesOf = (received: readonly Received[]): readonly string[] => received.map((one) => messageIn(one).type);

/** A receiver on this machine, until it is closed. */
export const startReceiver = async (
  answer: (response: ServerResponse, received: Received) => void = (reply) => reply.end("ok"),
) => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const one = { headers: request.headers, body };
    received.push(one);
    answer(response, one);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, close };
};

/** Receivers on this machine, which close after each test, and functions that make webhooks of theirs. */
export const webhooksOn = (fixture: ServiceFixture) => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  const receiver = async (answer?: (response: ServerResponse, received: Received) => void) => {
    const started = await startReceiver(answer);
    closing.push(started.close);
    return started;
  };

  const webhook = (
    fields: { readonly url: string; readonly events: readonly string[]; readonly dealer_id?: number | null },
    key?: string,
  ): Promise<Reply<Webhook & { readonly secret: string }>> =>
    fixture.api("POST", "/api/webhooks", { body: fields, ...(key !== undefined && { key }) });

  const read = async (id: number): Promise<Webhook> => (await fixture.api<Webhook>("GET", `/api/webhooks/${id}`)).body;
  const deliveries = async (id: number, query = ""): Promise<readonly Delivery[]> =>
    (await fixture.api<{ data: readonly Delivery[] }>("GET", `/api/webhooks/${id}/deliveries${query}`)).body.data;

  /** Lets a second pass, and waits until a webhook has no message that is due or being sent. */
  const settled = async (id: number): Promise<readonly Delivery[]> => {
    await fixture.service.runTimers(1);
    return eventually(
      () => deliveries(id, "?limit=200"),
      (all) => all.every(({ state, attempts }) => state !== "pending" || attempts.length > 0),
    );
  };

  const vehicle = async (dealer: number): Promise<number> =>
    (
      await create(fixture.api, "/api/vehicles", {
        dealer_id: dealer,
        make: "Toyota",
        model: "Camry",
        year: 2024,
        price: 20_000,
      })
    ).id;
  const change = (id: number, body: object) => fixture.api("PUT", `/api/vehicles/${id}`, { body });

  return { receiver, webhook, read, deliveries, settled, vehicle, change };
};
