import { Failure } from "../../../core/failure.ts";
import { answeredOptions, type Source, type SourceRun } from "../../../core/sources/source.ts";
import type { StoredSource } from "../../../core/sources/source-repository.ts";
import type { Row } from "../query/tables.ts";

const READ_COLUMNS = [
  "name",
  "dealer_id",
  "url",
  "schedule",
  "timezone",
  "auth_shown",
  "options",
  "field_owners",
  "active",
  "ended_by",
  "next_at",
  "etag",
  "failures",
  "failing_since",
  "runs",
  "created_at",
  "updated_at",
] as const;

/** The columns of a new source. */
export const INSERTED = [...READ_COLUMNS, "auth", "actor_key_id", "actor_user_id", "missing_lately"] as const;

/** The columns of a source that are read. */
export const SOURCE_COLUMNS = ["id", ...READ_COLUMNS] as const;
export type SourceRecord = Pick<Row<"import_sources">, (typeof SOURCE_COLUMNS)[number]>;

/** The runs of a source. An earlier version recorded no warnings of theirs. */
const runsIn = ({ runs }: Pick<SourceRecord, "runs">): readonly SourceRun[] =>
  (JSON.parse(runs) as readonly SourceRun[]).map((run) => ({ ...run, warnings: run.warnings ?? [] }));

/** A source as it is stored, without its credentials. */
export const storedOf = (row: SourceRecord): StoredSource => ({
  id: row.id,
  name: row.name,
  dealerId: row.dealer_id,
  url: row.url,
  schedule: row.schedule,
  timezone: row.timezone,
  auth: row.auth_shown === null ? null : JSON.parse(row.auth_shown),
  options: JSON.parse(row.options),
  field_owners: JSON.parse(row.field_owners),
  active: row.active === 1,
  endedBy: row.ended_by,
  nextAt: row.next_at,
  etag: row.etag,
  failures: row.failures,
  failingSince: row.failing_since,
  runs: runsIn(row),
  updatedAt: row.updated_at,
});

/** A source as it is answered. */
export const answeredOf = (row: SourceRecord): Source => {
  const {
    id,
    name,
    dealerId,
    url,
    schedule,
    timezone,
    auth,
    field_owners,
    active,
    nextAt,
    failingSince,
    runs,
    ...stored
  } = storedOf(row);
  const options = answeredOptions(stored.options);
  if (options instanceof Failure) throw new Error(`the options of source ${id} are none`);
  return {
    id,
    name,
    dealer_id: dealerId,
    url,
    schedule,
    timezone,
    auth,
    options,
    field_owners,
    active,
    next_run_at: nextAt,
    failing_since: failingSince,
    runs,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
};

/** The query and the fragment of an address. They may contain a secret token. */
const QUERY = /([?#]).*$/s;

/** A source in the form that the audit log shows: its settings, without what may be secret. */
export const auditedOf = ({
  name,
  url,
  schedule,
  timezone,
  auth,
  options,
  field_owners,
  active,
}: Omit<Source, "options"> & {
  readonly options: object;
}): object => ({ name, url: url.replace(QUERY, "$1…"), schedule, timezone, auth, options, field_owners, active });

/** The sealing context of a source's credentials. */
export const contextOfCredentials = (id: number): string => `import_sources.auth of source ${id}`;

/** The column with sealed credentials. */
export const SEALED_CREDENTIALS = { table: "import_sources", column: "auth", contextOf: contextOfCredentials } as const;
