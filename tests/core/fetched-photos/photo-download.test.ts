import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { guardedEgress } from "../../../adapters/egress/client.ts";
import { EGRESS_LIMITS, EgressFailure } from "../../../core/egress/egress.ts";
import { networkOf } from "../../../core/egress/networks.ts";
import { NotDownloaded, photoDownloads } from "../../../core/fetched-photos/photo-download.ts";
import { PHOTO_LIMITS } from "../../../core/photos/inspection.ts";
import { fakeClock } from "../../support/clock.ts";

const NEVER = new Promise<EgressFailure>(() => {});
const length = async (bytes: Uint8Array): Promise<number> => bytes.length;

describe("photos of a job", () => {
  let server: Server;
  let asked = 0;
  let answer: RequestListener = (_, response) => void response.end("x");
  const host = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = (): string => `http://${host()}/${++asked}.jpg`;
  beforeAll(async () => {
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => void server.close());

  const downloads = (firstByteMs: number, ended: Promise<EgressFailure> = NEVER) => {
    const loopback = networkOf("127.0.0.0/8");
    const limits = { ...EGRESS_LIMITS, firstByteMs };
    return photoDownloads(
      guardedEgress({ allowed: loopback === null ? [] : [loopback], clock: fakeClock(), limits }),
      ended,
    );
  };

  test("are asked no more of a server that failed five times in a row, until the next turn", async () => {
    let requests = 0;
    answer = () => void ++requests;
    const download = downloads(20);
    const problems: string[] = [];
    for (let count = 0; count < 7; count++) {
      const came = await download(address(), length);
      problems.push(came instanceof NotDownloaded ? came.problem : "");
    }
    expect(problems.slice(0, 5)).toEqual(
      Array.from({ length: 5 }, () => `127.0.0.1 did not answer within 0.02 seconds`),
    );
    expect(problems.slice(5)).toEqual(
      Array.from({ length: 2 }, () => `${host()} failed 5 times in a row; the next import asks it again`),
    );
    // A request that is given up may not have reached the server yet.
    expect(requests).toBeLessThanOrEqual(5);
    answer = (_, response) => void response.end("four");
    expect(await downloads(60_000)(address(), length)).toBe(4);
  });

  test("are not given up for what is the matter with single addresses, or after one that came", async () => {
    const download = downloads(60_000);
    const status = async (code: number): Promise<void> => {
      answer = (_, response) => void response.writeHead(code).end("x");
      await download(address(), length);
    };
    for (let count = 0; count < 6; count++) await status(404);
    for (let count = 0; count < 4; count++) await status(503);
    await status(200);
    for (let count = 0; count < 4; count++) await status(429);
    answer = (_, response) => void response.end("four");
    expect(await download(address(), length)).toBe(4);
  });

  test("end when the job does, wherever they are", async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<EgressFailure>();
    answer = (_, response) => {
      response.writeHead(200, { "content-length": 10 }).write("x");
      end(new EgressFailure("not_wanted", "It is fetched later"));
    };
    expect(await downloads(60_000, ended)(address(), length)).toEqual(new NotDownloaded("It is fetched later"));
  });

  test("are in memory together only as far as they take no more than one of the largest", async () => {
    const sized = (bytes: number): void => {
      answer = (_, response) => void response.writeHead(200, { "content-length": bytes }).end(Buffer.alloc(bytes));
    };
    /** The most photos that are in memory at once while each stays for another request. */
    const most = async (): Promise<number> => {
      const download = downloads(60_000);
      let [held, largest] = [0, 0];
      const use = async (): Promise<void> => {
        largest = Math.max(largest, ++held);
        await (await fetch(`http://${host()}/`)).arrayBuffer();
        held--;
      };
      await Promise.all([1, 2, 3].map(() => download(address(), use)));
      return largest;
    };
    sized(PHOTO_LIMITS.bytes / 2 + 1);
    expect(await most()).toBe(1);
    answer = (_, response) => {
      response.write("of a length that nobody tells");
      response.end();
    };
    expect(await most()).toBe(1);
    // Each of these waits for the other.
    sized(10);
    const download = downloads(60_000);
    const both = Promise.withResolvers<void>();
    let held = 0;
    const use = async (): Promise<void> => {
      if (++held === 2) both.resolve();
      await both.promise;
    };
    await Promise.all([1, 2].map(() => download(address(), use)));
    expect(held).toBe(2);
  });
});
