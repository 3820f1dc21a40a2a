import { afterAll, beforeAll, setDefaultTimeout } from "bun:test";
import type { Api, Reply } from "./client.ts";
import type { TestEngine } from "./engines.ts";
import { TEST_LIMIT_MS } from "./hung.ts";
import { type Caller, createSampleRecords, type SampleRecords } from "./sample-records.ts";
import { type Run, startService, type TestService } from "./service.ts";

/** A running service with sample records for one `describe`, ready when its first test runs. */
export interface ServiceFixture {
  readonly service: TestService;
  readonly records: SampleRecords;
  readonly api: Api;
  /** Sends a request with the key of one of these callers. */
  as<Body = unknown>(
    caller: Caller,
    request: { readonly method: string; readonly path: string; readonly body?: unknown },
  ): Promise<Reply<Body>>;
}

const missing = (): never => {
  throw new Error("the fixture is ready when the first test runs");
};

/** Starts a service with sample records before the tests of the surrounding `describe`, and stops it after them. */
export const serviceFixture = (
  engine: TestEngine,
  environment: Readonly<Record<string, string>> = {},
  run: Run = {},
): ServiceFixture => {
  setDefaultTimeout(TEST_LIMIT_MS);
  let service: TestService | null = null;
  let records: SampleRecords | null = null;
  beforeAll(async () => {
    service = await startService(engine, environment, run);
    records = await createSampleRecords(service.api);
  });
  afterAll(() => service?.close());
  return {
    get service() {
      return service ?? missing();
    },
    get records() {
      return records ?? missing();
    },
    get api() {
      return (service ?? missing()).api;
    },
    as(caller, { method, path, body }) {
      return this.api(method, path, { key: this.records.keys[caller].api_key, body });
    },
  };
};
