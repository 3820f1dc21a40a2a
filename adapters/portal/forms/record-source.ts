import type { Permission } from "../../../core/permissions.ts";
import { useRecord, useRecords, useSearchedList } from "../api/queries.ts";
import { useMay } from "../session/session.tsx";

const STALE_MS = 60_000;
/** The most records that the dropdown shows. */
const MAX_RESULTS = 20;
/** Longer search texts are cut off. */
const MAX_SEARCH_LENGTH = 100;

/** A record to choose, with the fields that options show. */
export interface SearchableRecord {
  readonly id: number;
  readonly name: string;
  readonly email?: string | null;
  readonly city?: string | null;
  readonly state?: string | null;
}

/** A list of records to choose from, which the server searches by `q`. */
export interface RecordSource {
  readonly path: `/${string}`;
  /** The permission to read the records; users without it get no options. */
  readonly needs: Permission;
  /** The word for one record, such as "dealer". */
  readonly noun: string;
  /** The record's name in the field. */
  readonly nameOf: (record: SearchableRecord) => string;
  /** A second fact below the name. */
  readonly detailOf?: (record: SearchableRecord) => string;
}

const nameByNumber = ({ noun }: RecordSource, id: number | string): string =>
  `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${id}`;

/** The first matches by name; `isCurrent` is false while they answer an earlier search. */
export const useRecordSearch = (
  { path }: RecordSource,
  {
    searchText,
    filters = {},
    enabled,
  }: { searchText: string; filters?: Readonly<Record<string, string>>; enabled: boolean },
) => {
  const query = {
    ...filters,
    q: searchText.slice(0, MAX_SEARCH_LENGTH),
    sort: "name",
    order: "asc",
    limit: MAX_RESULTS,
  };
  const { data, isPlaceholderData } = useSearchedList<SearchableRecord>(path, query, { enabled, staleMs: STALE_MS });
  return { records: data?.items ?? [], total: data?.total ?? 0, isCurrent: data !== undefined && !isPlaceholderData };
};

/** A record by its id; `undefined` until it has loaded, and for users who may not read it. */
export const useRecordById = <Item extends SearchableRecord>(
  { path, needs }: RecordSource,
  id: string,
): Item | undefined => {
  const enabled = useMay()(needs) && /^\d+$/.test(id);
  return useRecord<Item>(`${path}/${id}`, {}, { enabled, staleMs: STALE_MS }).data;
};

/** The name of a record, or its number while the name is unknown. */
export const useRecordName = (source: RecordSource, id: string): string => {
  const record = useRecordById(source, id);
  return record === undefined ? nameByNumber(source, id) : source.nameOf(record);
};

/** A function that gives the name of each of these records, or its number while the name is unknown. */
export const useRecordNames = (source: RecordSource, ids: readonly number[]): ((id: number) => string) => {
  const enabled = useMay()(source.needs);
  const answers = useRecords<SearchableRecord>(
    ids.map((id) => `${source.path}/${id}`),
    { enabled, staleMs: STALE_MS },
  );
  return (id) => {
    const record = answers.find(({ data }) => data?.id === id)?.data;
    return record === undefined ? nameByNumber(source, id) : source.nameOf(record);
  };
};
