import { expect, test } from "bun:test";
import { trace } from "@opentelemetry/api";
import { makeTracer } from "../../../adapters/tracing/tracer.ts";

test("what a request has begun, such as a timer for all, is no part of its trace once it is answered", async () => {
  const tracer = makeTracer(trace.getTracer("tests"), () => true);
  const request = tracer.begin({ method: "GET", route: "/api/changes/stream", sent: null });
  if (request === null) throw new Error("the request is not recorded");
  const answered = Promise.withResolvers<void>();
  let later = Promise.resolve<unknown>("not begun");
  const during = await request.run(() =>
    tracer.useCase("change.stream", async () => {
      later = answered.promise.then(() => [tracer.current(), tracer.useCase("change.list", tracer.current)]);
      return tracer.current();
    }),
  );
  request.end({ status: 200, code: null, requestId: "one" });
  answered.resolve();
  expect(during).not.toBeNull();
  expect(await later).toEqual([null, null]);
});
