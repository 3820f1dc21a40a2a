import { expect, test } from "bun:test";
import type { Exchange } from "../../../../adapters/http/server/exchange.ts";
import type { PipelineParts } from "../../../../adapters/http/server/parts.ts";
import { receiveFile } from "../../../../adapters/http/server/steps.ts";
import type { ArrivingUpload } from "../../../../core/imports/reception.ts";
import { dealerKey } from "../../../core/callers.ts";
import { fakeClock } from "../../../support/clock.ts";

/** A request with a file whose reading is counted, and the upload that the use case gets. */
const begun = async (type: string, isGone = false) => {
  let read = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        read++;
        controller.enqueue(new TextEncoder().encode("VIN,Make\n"));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const sending = new AbortController();
  if (isGone) sending.abort();
  const headers = { "content-type": type };
  const request = new Request("http://localhost/api/imports", {
    method: "POST",
    body,
    headers,
    signal: sending.signal,
  });
  const { promise: upload, resolve } = Promise.withResolvers<ArrivingUpload>();
  const file = {
    types: [],
    example: "",
    receive: async (sent: { readonly upload: ArrivingUpload }) => {
      resolve(sent.upload);
      return null;
    },
  };
  const exchange = {
    request,
    principal: dealerKey(1),
    input: { query: {} },
    idempotencyKey: null,
    deadline: { waitForClient: (sent: unknown) => sent },
  };
  await receiveFile(file, "key", { clock: fakeClock() } as unknown as PipelineParts)(exchange as unknown as Exchange);
  return { upload: await upload, sending, reads: () => read };
};

for (const type of ["text/csv", "multipart/form-data; boundary=x"])
  test(`nothing of a file is read before there is a place for it: ${type}`, async () => {
    const { upload, reads } = await begun(type);
    expect(reads()).toBe(0);
    const opened = await upload.open().catch(() => null);
    for await (const _ of opened?.pieces ?? []);
    expect(reads()).toBeGreaterThan(0);
  });

test("a client that goes away is told to whoever waits for a place for its file", async () => {
  const { upload, sending } = await begun("text/csv");
  let isTold = false;
  void upload.gone?.then(() => (isTold = true));
  await Promise.resolve();
  expect(isTold).toBe(false);
  sending.abort();
  await upload.gone;
  const { upload: late } = await begun("text/csv", true);
  await late.gone;
});
