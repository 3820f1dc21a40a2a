import type { Principal } from "../access/principal.ts";
import { workNeedsItsMakersRights } from "../access/rules/work-needs-its-makers-rights.ts";
import { type Clock, timestampAt } from "../clock.ts";
import { type Egress, type EgressAnswer, EgressFailure } from "../egress/egress.ts";
import { Failure, type FailureCause } from "../failure.ts";
import { FILE_LIMITS } from "../imports/file/file.ts";
import type { Imports } from "../imports/imports.ts";
import type { Upload } from "../imports/reception.ts";
import type { Issue } from "../issues.ts";
import { type Claim, MAX_ATTEMPTS } from "../jobs/job.ts";
import { afterFailure } from "./outcome.ts";
import { queryOf, type SourceRun } from "./source.ts";
import type { FailingSource, OpenSource, SourceResult, SourceWork } from "./source-repository.ts";

const OK = 200;
const NOT_MODIFIED = 304;
const MAX_ETAG = 1000;
const MAX_NAME = 200;
/** The time after which a file is fetched again if too many imports were waiting. */
const RETRY_MS = 15 * 60 * 1000;

/** A file as its server describes it. */
export interface FetchedFile {
  /** The last part of its address; `null` if it has none. */
  readonly name: string | null;
  /** Its media type, with parameters. */
  readonly type: string;
  /** Its content encoding. */
  readonly encoding: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface Parts {
  readonly work: SourceWork;
  readonly egress: Egress;
  /**
   * Turns the file into an upload, or returns a text that says why it cannot be imported. Reading the upload may throw
   * EgressFailure.
   */
  readonly uploadOf: (file: FetchedFile) => Upload | string;
  readonly imports: Pick<Imports, "receive" | "start">;
  readonly clock: Clock;
  /** Warns the operator of a source that keeps failing. */
  readonly warn: (source: FailingSource) => void;
  /** Tells the operator why a file was not fetched, where the run's own words do not say so. */
  readonly explain: (source: FailingSource) => void;
}

/** The result of a fetch. `isDeferred` means that too many imports were waiting, so the file is fetched again soon. */
interface FetchResult extends Omit<SourceRun, "at" | "warnings"> {
  readonly etag: string | null;
  readonly isDeferred?: true;
}

const RIGHTS_LOST =
  "Whoever changed the source last may not import vehicles of its dealer any more; whoever changes it now takes it over";

const NOT_WANTED = "The source was switched off, or deleted, while the file was fetched";

const DEFECT = `The service was interrupted ${MAX_ATTEMPTS} times while it fetched the file; the log says why`;

const sentenceOf = ({ path, message }: Issue): string => (path === "" ? message : `${path} ${message}`);

/** The reason why no import was made from a file. */
const reasonOf = (cause: FailureCause): string => {
  if ("reason" in cause) return cause.reason;
  if (cause.kind === "invalid") return cause.issues.map(sentenceOf).join("; ");
  return cause.kind === "permission-missing" || cause.kind === "never-for-bound-keys" ? RIGHTS_LOST : cause.kind;
};

const fileNameIn = (url: string): string | null => {
  const path = url.replace(/[?#].*$/s, "").replace(/^[^:]+:\/\/[^/]*/, "");
  return path.slice(path.lastIndexOf("/") + 1).slice(-MAX_NAME) || null;
};

const failedFetch = (problem: string, status: number | null = null): FetchResult => ({
  import_id: null,
  status,
  bytes: null,
  problem,
  etag: null,
});

/** Fetches the files of sources, and starts their imports. */
export const makeSourceRun = ({ work, egress, uploadOf, imports, clock, warn, explain }: Parts) => {
  const request = (source: OpenSource, etag: string | null, ended: Promise<void>): Promise<EgressAnswer> =>
    egress.get({
      url: source.url,
      credentials: source.credentials,
      // A compressed file is rarely larger than its content.
      maxBytes: FILE_LIMITS.unpackedBytes + FILE_LIMITS.rowBytes,
      ended: ended.then(() => new EgressFailure("not_wanted", NOT_WANTED)),
      ...(etag !== null && { headers: { "if-none-match": etag } }),
    });

  /** Starts an import of the file in an answer. The source's maker is the one who imports it. */
  const importFile = async (
    { source, maker, claim }: { readonly source: OpenSource; readonly maker: Principal; readonly claim: Claim },
    answer: EgressAnswer,
  ): Promise<FetchResult> => {
    const { status, headers, body } = answer;
    const upload = uploadOf({
      name: fileNameIn(source.url),
      type: headers["content-type"] ?? "",
      encoding: headers["content-encoding"] ?? "",
      bytes: body,
    });
    if (typeof upload === "string") return failedFetch(upload, status);
    const arrived = await imports.receive(maker, queryOf(source.options, source.dealerId), {
      ...upload,
      sourceId: source.id,
    });
    await work.renewLease(claim);
    const made = arrived instanceof Failure ? arrived : await imports.start(maker, arrived);
    if (made instanceof Failure) {
      const isDeferred = made.cause.kind === "too-many-jobs";
      return { ...failedFetch(reasonOf(made.cause), status), ...(isDeferred && { isDeferred }) };
    }
    const { etag = null } = headers;
    const storedEtag = etag !== null && etag.length <= MAX_ETAG ? etag : null;
    return { import_id: made.id, status, bytes: made.file.bytes, problem: null, etag: storedEtag };
  };

  const fetchFile = async (claim: Claim, source: OpenSource, ended: Promise<void>): Promise<FetchResult> => {
    const { maker, dealerId, etag, problem } = source;
    if (problem !== null) return failedFetch(problem);
    if (!workNeedsItsMakersRights(maker, dealerId)) return failedFetch(RIGHTS_LOST);
    let answer = await request(source, etag, ended);
    // The unchanged file counts as the second file that leaves these vehicles out, so it must be fetched in full.
    if (answer.status === NOT_MODIFIED && source.hasMissing) {
      answer.discard();
      answer = await request(source, null, ended);
    }
    try {
      if (answer.status === NOT_MODIFIED && etag !== null)
        return { import_id: null, status: NOT_MODIFIED, bytes: 0, problem: null, etag };
      if (answer.status !== OK) return failedFetch(`The answer was ${answer.status}, not ${OK}`, answer.status);
      return await importFile({ source, maker, claim }, answer);
    } catch (error) {
      if (error instanceof EgressFailure) return failedFetch(error.message, answer.status);
      throw error;
    } finally {
      answer.discard();
    }
  };

  const resultOf = (source: OpenSource, { etag, isDeferred, ...came }: FetchResult): SourceResult => {
    const run = { at: clock.now(), ...came, warnings: [] };
    const { failures, failingSince } = source;
    // The import reports its result later.
    if (came.import_id !== null) return { run, etag, failures, failingSince, retryAt: null, event: "source.imported" };
    if (came.problem === null) return { run, etag, failures: 0, failingSince: null, retryAt: null, event: null };
    const retryAt = isDeferred ? timestampAt(clock.nowMs() + RETRY_MS) : null;
    return { run, etag: source.etag, ...afterFailure(source, clock), retryAt };
  };

  return {
    /** Fetches the source of a job once. It throws if the database is unavailable; the job is then run again later. */
    async run(claim: Claim): Promise<void> {
      const source = await work.open(claim);
      if (source === null) return;
      const came = await work.whileRenewingLease(claim, source, async (ended) => {
        try {
          return claim.attempts > MAX_ATTEMPTS ? failedFetch(DEFECT) : await fetchFile(claim, source, ended);
        } catch (error) {
          if (!(error instanceof EgressFailure)) throw error;
          const { message, detail } = error;
          if (detail !== null) explain({ id: source.id, dealerId: source.dealerId, problem: `${message} (${detail})` });
          return failedFetch(message);
        }
      });
      const failing = await work.finish(claim, source, resultOf(source, came));
      if (failing !== null) warn(failing);
    },
  };
};
