import Type from "typebox";
import { type Principal, VIA, type Via } from "../access/principal.ts";
import { salesAreForThoseWhoWriteVehicles } from "../access/rules/sales-are-for-those-who-write-vehicles.ts";
import { useCase } from "../access/use-case.ts";
import { type Visibility, visibilityOfAudit } from "../access/visibility.ts";
import { changeId } from "../changes/change-id.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { SAFE_FORM_QUERY } from "../export/export-file.ts";
import type { Outcome } from "../failure.ts";
import { IncludeQuery } from "../include.ts";
import type { Slice } from "../long-items.ts";
import { COUNT_ONLY, type Page, PageQuery, type PositionedListing, slicedPageOf } from "../page.ts";
import { type Input, id, moment, oneOf, patterned } from "../schema.ts";
import { searchQuery } from "../search/query.ts";
import {
  type Action,
  AUDITED,
  AUDITED_RESOURCES,
  type AuditedResource,
  DENIED,
  FORMER_NAMES,
  type FormerAction,
} from "./actions.ts";
import type { AuditEntry } from "./audit-entry.ts";
import type { DenialQueue } from "./denials.ts";

/** All values of `action`. */
export const AUDIT_ACTIONS = [...(Object.keys(AUDITED) as (keyof typeof AUDITED)[]), DENIED] as const;
/** All values of the filter `action`. */
const FILTER_ACTIONS = [...AUDIT_ACTIONS, ...(Object.keys(FORMER_NAMES) as FormerAction[])] as const;

/** The filters of the log, as query parameters. */
const FILTERS = {
  actor: Type.Optional(
    patterned({
      pattern: "^(key|user):[1-9][0-9]{0,14}$",
      max: 20,
      fault: "must be key: or user: and a number, such as key:12",
      description: "Only entries of this actor: `key:12`, or `user:3`, which includes the user's keys.",
    }),
  ),
  via: Type.Optional(oneOf(VIA, { description: "Only entries of changes that were made in this way." })),
  resource: Type.Optional(
    oneOf(AUDITED_RESOURCES, {
      description:
        "Only entries about this kind of record. With `id`, the entries of a vehicle include those of its images.",
    }),
  ),
  id: Type.Optional(
    id({ description: "Only entries about the record with this id. Usually sent together with `resource`." }),
  ),
  dealer_id: Type.Optional(id({ description: "Only entries about this dealer's records." })),
  change_id: Type.Optional(
    changeId("Only entries of this bulk change, import, batch or change in the portal: the `change_id` of its answer."),
  ),
  person: Type.Optional(searchQuery(100, "the name, as it is today, of the person who acted, also with a key")),
  action: Type.Optional(
    oneOf(FILTER_ACTIONS, {
      description:
        "Only entries of this action. `vehicle.changed` and similar actions find every change of such a record, including changes that have an action of their own.",
    }),
  ),
  from: Type.Optional(moment({ description: "Only entries from this time on." })),
  to: Type.Optional(moment({ description: "Only entries before this time." })),
};

/** Query of GET /api/audit. */
export const AuditQuery = Type.Object({
  ...FILTERS,
  ...IncludeQuery,
  ...PageQuery,
  cursor: Type.Optional(
    Type.String({
      description: "The cursor in the `Link` header of the previous page. It replaces `offset`.",
      fault: "must not be empty",
    }),
  ),
});
export type AuditQuery = Input<typeof AuditQuery>;

/** Query of GET /api/audit/export. */
export const AuditExportQuery = Type.Object({ ...FILTERS, ...SAFE_FORM_QUERY });
type AuditExportQuery = Input<typeof AuditExportQuery>;
type Filters = Omit<AuditExportQuery, keyof typeof SAFE_FORM_QUERY>;

/** The filters of a list of entries. */
export interface AuditFilter {
  readonly keyId?: number;
  readonly userId?: number;
  readonly via?: Via;
  readonly resource?: AuditedResource;
  readonly resourceId?: number;
  readonly dealerId?: number;
  /** The change that the entries are a part of. */
  readonly changeId?: string;
  /** Words, each of which must begin a word of the person's name. */
  readonly person?: string;
  /** It also finds entries of more precise actions, and entries under former names. */
  readonly action?: Action | FormerAction;
  readonly from?: Timestamp;
  readonly to?: Timestamp;
  /** If true, entries about what vehicles were sold for are left out. */
  readonly hidesSales?: boolean;
}

/** A page of the log. */
export type AuditPage = PositionedListing<AuditEntry, AuditPosition>;

/** A position in the log: the place just after this entry. */
export type AuditPosition = Pick<AuditEntry, "id" | "at">;

/** Which entries are read. */
export interface WantedEntries {
  readonly visibility: Visibility;
  readonly filter: AuditFilter;
}

/** The stored audit log. Repositories write to it in the transaction of each change. */
export interface AuditLog {
  /**
   * Entries with the newest first, and by descending id within the same moment. With `after`, the page begins after
   * that entry, whatever its offset.
   */
  list(query: WantedEntries & { readonly page: Page; readonly after: AuditPosition | null }): Promise<AuditPage>;
  /**
   * All entries in the same order, as the log was when the first slice was read. Until the iteration ends or is
   * abandoned, it holds a database connection and a snapshot. Slices are small.
   */
  all(query: WantedEntries): Iterable<Slice<AuditEntry>>;
}

/** The entries of an export, newest first. */
export interface AuditExport {
  /** How many entries match when the export begins. */
  readonly total: number;
  /** Reading the entries holds a connection: see `AuditLog.all`. */
  readonly entries: Iterable<Slice<AuditEntry>>;
}

/** The moments of a query as timestamps. */
const timeRangeOf = (clock: Clock, query: Filters): Pick<AuditFilter, "from" | "to"> => {
  const range: { from?: Timestamp; to?: Timestamp } = {};
  for (const name of ["from", "to"] as const) {
    const moment = query[name] === undefined ? null : clock.parse(query[name]);
    if (moment !== null) range[name] = moment;
  }
  return range;
};

const auditFilterOf = (
  { actor, person, via, resource, id, dealer_id, change_id, action }: Filters,
  range: Pick<AuditFilter, "from" | "to">,
): AuditFilter => {
  const [kind, number] = actor?.split(":") ?? [];
  return {
    ...(kind === "key" && { keyId: Number(number) }),
    ...(kind === "user" && { userId: Number(number) }),
    ...(person !== undefined && { person }),
    ...(via !== undefined && { via }),
    ...(resource !== undefined && { resource }),
    ...(id !== undefined && { resourceId: id }),
    ...(dealer_id !== undefined && { dealerId: dealer_id }),
    ...(change_id !== undefined && { changeId: change_id }),
    ...(action !== undefined && { action }),
    ...range,
  };
};

interface Ports {
  readonly log: AuditLog;
  readonly denials: Pick<DenialQueue, "flush">;
  readonly clock: Clock;
}

/** The use cases of reading the audit log. */
export const makeAudit = ({ log, denials, clock }: Ports) => {
  /** What the reader may see of the log. All earlier denials are written before it is read. */
  const readable = async (principal: Principal, query: Filters) => {
    await denials.flush();
    const filter = auditFilterOf(query, timeRangeOf(clock, query));
    return {
      visibility: visibilityOfAudit(principal),
      filter: salesAreForThoseWhoWriteVehicles(principal) ? filter : { ...filter, hidesSales: true },
    };
  };

  return {
    list: useCase(
      "audit.list",
      async (principal, query: AuditQuery, after: AuditPosition | null = null): Promise<Outcome<AuditPage>> => {
        const read = await readable(principal, query);
        return log.list({ ...read, page: slicedPageOf(query), after });
      },
    ),

    /** All entries that match. */
    export: useCase("audit.export", async (principal, query: AuditExportQuery): Promise<Outcome<AuditExport>> => {
      const read = await readable(principal, query);
      const { total } = await log.list({ ...read, page: COUNT_ONLY, after: null });
      return { total, entries: log.all(read) };
    }),
  };
};

export type Audit = ReturnType<typeof makeAudit>;
