import type { Permission } from "../../../core/access/permissions.ts";
import { useRecord, useRecords, useSearchedList } from "../api/queries.ts";
import { useMay } from "../session/session.tsx";

const STALE_MS = 60_000;
/** The most records that the dropdown shows. */
const MAX_RESULTS = 20;
/** Longer search texts are cut off. */
const MAX_SEARCH_LENGTH = 100;

/** What is shown of a record that can be chosen. */
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
  /** Without it nobody is offered anything, and nothing is read. */
  readonly needs: Permission;
  /** What one of them is called, as "dealer". */
  readonly noun: string;
  /** What tells one from the others, as it stands in the field. */
  readonly nameOf: (record: SearchableRecord) => string;
  /** A second fact below the name. */
  readonly detailOf?: (record: SearchableRecord) => string;
}

const nameByNumber = ({ noun }: RecordSource, id: number | string): string =>
  `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${id}`;

/** The first records with these words, by name; `isCurrent` says whether they are the answer to just these. */
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

/** A record by its id; `undefined` while it is not known, and for who may not read it. */
export const useRecordById = <Item extends SearchableRecord>(
  { path, needs }: RecordSource,
  id: string,
): Item | undefined => {
  const enabled = useMay()(needs) && /^\d+$/.test(id);
  return useRecord<Item>(`${path}/${id}`, {}, { enabled, staleMs: STALE_MS }).data;
};

/** What a record is called, or its number while that is not known. */
export const useRecordName = (source: RecordSource, id: string): string => {
  const record = useRecordById(source, id);
  return record === undefined ? nameByNumber(source, id) : source.nameOf(record);
};

/** What each of these records is called. */
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
