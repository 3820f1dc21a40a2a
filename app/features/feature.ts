import type { VehiclePager } from "../../adapters/http/api/vehicle-pager.ts";
import type { FeedCursors } from "../../adapters/http/protocol/feed-cursors.ts";
import type { ListCursors } from "../../adapters/http/protocol/list-cursors.ts";
import type { Route } from "../../adapters/http/protocol/route.ts";
import type { OpenPage } from "../../adapters/http/server/open-pages.ts";
import type { PipelineParts } from "../../adapters/http/server/parts.ts";
import type { JobRunner } from "../../adapters/sql/jobs/runner.ts";
import type { WordsListener } from "../../adapters/sql/search/vehicle-words.ts";
import type { Tally } from "../../core/tally.ts";

/** What the routes of a capability need besides its use cases. */
export interface Http {
  readonly cursors: ListCursors;
  readonly feedCursors: FeedCursors;
  /** Makes the pages of vehicles, with what `include` asks for. */
  readonly pager: VehiclePager;
  readonly exposeSql: boolean;
  /** The address that clients use; `null` if it is taken from each request. */
  readonly publicUrl: string | null;
}

/** What pages without a key need of the service. */
export interface PageParts extends PipelineParts {
  readonly version: string;
}

/** Told of what happens to background work. */
export interface WorkListener extends WordsListener {
  /** A job of the queue was interrupted, and goes on later. */
  readonly interrupted: Parameters<JobRunner["start"]>[0];
}

/** Work of a capability that goes on beside requests, until the service stops. */
export interface BackgroundWork {
  start(listener: WorkListener): void | Promise<void>;
  stop(): void | Promise<void>;
}

/** What a capability has counted since the start: a counter of the metrics, by the words of one label. */
interface Counted {
  readonly name: `inventory_${string}_total`;
  readonly help: string;
  readonly label: string;
  readonly tally: Pick<Tally<string>, "entries">;
}

/** A capability of the service: what it offers, and what of it is mounted and started. */
export interface Feature<Uses extends object = object> {
  /** Its use cases, and what other parts of the service need of it. */
  readonly uses: Uses;
  /** Its routes in the API. */
  readonly routes?: (http: Http) => readonly Route[];
  /** Its pages that need no key. */
  readonly pages?: (parts: PageParts) => readonly OpenPage[];
  readonly works?: readonly BackgroundWork[];
  readonly counted?: readonly Counted[];
}

/** Repeated or queued work as work of a feature: it reports only that the database did not answer. */
export const reportingFailures = (work: {
  start(report: (error: unknown) => void): void | Promise<void>;
  stop(): void | Promise<void>;
}): BackgroundWork => ({ start: ({ failed }) => work.start(failed), stop: () => work.stop() });
