import { RecordField } from "../forms/record-field.tsx";
import { type RecordSource, useRecordName, useRecordNames } from "../forms/record-source.ts";
import type { Filter } from "../lists/filters.tsx";
import { PageLink } from "../page/link.tsx";
import { useMay } from "../session/session.tsx";

const DEALERS: RecordSource = {
  path: "/dealers",
  needs: "dealers:read",
  noun: "dealer",
  nameOf: ({ name }) => name,
  detailOf: ({ city, state }) => [city, state].filter((part) => part != null && part !== "").join(", "),
};

/** The name of a dealer, or its number while the name is unknown. */
export const useDealerName = (id: number | null): string => useRecordName(DEALERS, String(id ?? ""));

/** A function that gives the name of each of these dealers. */
export const useDealerNames = (ids: readonly number[]): ((id: number) => string) => useRecordNames(DEALERS, ids);

/** The name of a dealer as text. */
export const DealerName = ({ id }: { id: number }) => useDealerName(id);

/** A dealer's name as a link to its page; looked up if the record lacks it (`include=names`). */
export const DealerLink = ({ id, name }: { id: number; name?: string | null | undefined }) => {
  const shown = name ?? <DealerName id={id} />;
  return useMay()("dealers:read") ? <PageLink to={`/dealers/${id}`}>{shown}</PageLink> : shown;
};

interface DealerFieldProps {
  readonly path: string;
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly required?: boolean;
}

/** A choice among the visible dealers. */
export const DealerField = ({ label = "Dealer", placeholder = "Choose a dealer", ...field }: DealerFieldProps) => (
  <RecordField {...field} label={label} placeholder={placeholder} source={DEALERS} />
);

/** A filter by dealer. */
export const DEALER_FILTER: Filter = { name: "dealer_id", label: "Dealer", records: DEALERS };
