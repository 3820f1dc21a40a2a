import type { Clock } from "../../../core/clock.ts";
import type { SearchProgress } from "../../../core/search/progress.ts";
import { type Headers, JSON_ONLY, jsonResponse } from "../protocol/headers.ts";
import { problemBody } from "../protocol/problem.ts";
import { UNAVAILABLE } from "../protocol/problem-response.ts";

/** The parts that are checked. Only the database decides, as nothing can be answered without it. */
export interface ReadinessParts {
  /** Rejects if the database does not answer. */
  readonly database: () => Promise<void>;
  /** `degraded` if this instance counts requests on its own. */
  readonly limits: () => "ok" | "degraded";
  /** The free space on the disk. */
  readonly disk: () => "ok" | "low" | "unknown";
  /** `several` if another process serves the same SQLite file; `null` on PostgreSQL, which is made for several. */
  readonly processes?: () => "one" | "several" | null;
  /** The newest backup that the service made by itself; `null` if it makes none. */
  readonly backup?: () => object | null;
  /** Resolves if the storage of photos is in reach; `null` if there is none. */
  readonly images?: (() => Promise<void>) | null;
  /** The progress of the search words of vehicles. It is part of the answer until all words are made. */
  readonly search?: () => SearchProgress;
}

/**
 * Runs one check at a time for all callers together, so that anybody may ask. Results are not cached: the next answer
 * already reports a lost database.
 */
const sharedCheck = (check: () => Promise<void>): (() => Promise<void>) => {
  let pending: Promise<void> | null = null;
  return () => {
    pending ??= check().finally(() => {
      pending = null;
    });
    return pending;
  };
};

const IMAGES_MS = 1000;

/** Fails if the check takes longer than whoever asks should wait. */
const soon = async (check: Promise<void>): Promise<void> => {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the storage of photos does not answer")), IMAGES_MS);
  });
  try {
    await Promise.race([check, late]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Answers whether the service should receive requests, and which of its parts work. It does not reveal addresses or
 * reasons.
 */
export const readiness = (
  { database, limits, disk, processes, backup, images, search }: ReadinessParts,
  clock: Clock,
  report: (requestId: string, error: unknown) => void,
): ((headers: Headers) => Promise<Response>) => {
  const checkDatabase = sharedCheck(database);
  const checkImages = images === undefined || images === null ? null : sharedCheck(() => soon(images()));
  const imageState = async () =>
    checkImages === null
      ? {}
      : {
          images: await checkImages().then(
            () => "ok",
            () => "unavailable",
          ),
        };
  const checksWith = async (state: "ok" | "unavailable") => {
    const known = processes?.() ?? null;
    return {
      database: state,
      limits: limits(),
      disk: disk(),
      ...(known !== null && { processes: known }),
      ...(await imageState()),
    };
  };
  return async (headers) => {
    const requestId = headers["x-request-id"] ?? "";
    try {
      await checkDatabase();
    } catch (error) {
      report(requestId, error);
      const problem = JSON.parse(problemBody(UNAVAILABLE, { timestamp: clock.now(), requestId }));
      const checks = await checksWith("unavailable");
      return jsonResponse(
        JSON.stringify({ ...problem, checks }),
        { status: UNAVAILABLE.status, headers: JSON_ONLY },
        { ...headers, "cache-control": "no-store", ...UNAVAILABLE.headers },
      );
    }
    const words = search?.();
    const made = backup?.() ?? null;
    return jsonResponse(
      JSON.stringify({
        status: "ready",
        checks: await checksWith("ok"),
        ...(made !== null && { backup: made }),
        ...(words?.state === "filling" && { search: words }),
      }),
      { status: 200, headers: JSON_ONLY },
      { ...headers, "cache-control": "no-store" },
    );
  };
};
