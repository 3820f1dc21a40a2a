import { type Egress, EgressFailure, type EgressProblem } from "../egress/egress.ts";
import { PHOTO_LIMITS } from "../photos/inspection.ts";
import { Gate } from "../photos/turns.ts";

const OK = 200;
/** Answers of a server that has too much to do. */
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** After so many failures in a row, nothing more is asked of a server until the next turn. */
const MOST_FAILURES = 5;
/** What is the matter with a server, and not with an address. */
const OF_SERVER: ReadonlySet<EgressProblem> = new Set([
  ...(["unreachable", "too_late", "certificate_wrong", "address_unknown"] as const),
]);
const HEADERS = { accept: "image/jpeg, image/png, image/webp", "accept-encoding": "identity" };

const MEBIBYTE = 1024 * 1024;

/** Why nothing came of an address, in words for those who read the import. */
export class NotDownloaded {
  constructor(readonly problem: string) {}
}

/** The host of an address. */
const hostOf = (address: string): string => (/^[^:]+:\/\/([^/?#]*)/.exec(address)?.[1] ?? "").toLowerCase();

type UseOf<Result> = (bytes: Uint8Array) => Promise<Result>;

const bytesOf = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
  }
  const bytes = new Uint8Array(length);
  let filled = 0;
  for (const piece of pieces) {
    bytes.set(piece, filled);
    filled += piece.length;
  }
  return bytes;
};

/**
 * Downloads the photos of one job, no more of them at once than fit into the room of the largest one. `ended` ends all of
 * them.
 */
export const photoDownloads = (egress: Pick<Egress, "get">, ended: Promise<EgressFailure>) => {
  const room = new Gate(PHOTO_LIMITS.bytes);
  const failures = new Map<string, number>();

  const get = async <Result>(url: string, use: UseOf<Result>): Promise<Result | NotDownloaded> => {
    const host = hostOf(url);
    const answer = await egress.get({ url, headers: HEADERS, maxBytes: PHOTO_LIMITS.bytes, ended });
    try {
      const { status, headers } = answer;
      if (BUSY.has(status)) failures.set(host, (failures.get(host) ?? 0) + 1);
      if (status !== OK) return new NotDownloaded(`${host} answered ${status}, not ${OK}`);
      const encoding = headers["content-encoding"] ?? "identity";
      if (encoding !== "identity") return new NotDownloaded(`${host} sent it packed (${encoding.slice(0, 20)})`);
      const leave = await room.enter(
        Math.min(Number(headers["content-length"]) || PHOTO_LIMITS.bytes, PHOTO_LIMITS.bytes),
      );
      try {
        const bytes = await bytesOf(answer.body);
        failures.delete(host);
        return await use(bytes);
      } finally {
        leave();
      }
    } finally {
      answer.discard();
    }
  };

  /** What is made of the bytes at an address, which take their room until it is done. */
  return async <Result>(address: string, use: UseOf<Result>): Promise<Result | NotDownloaded> => {
    const host = hostOf(address);
    if ((failures.get(host) ?? 0) >= MOST_FAILURES)
      return new NotDownloaded(`${host} failed ${MOST_FAILURES} times in a row; the next import asks it again`);
    try {
      return await get(address, use);
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error;
      if (OF_SERVER.has(error.problem)) failures.set(host, (failures.get(host) ?? 0) + 1);
      return new NotDownloaded(
        error.problem === "too_large" ? `is larger than ${PHOTO_LIMITS.bytes / MEBIBYTE} MiB` : error.message,
      );
    }
  };
};
