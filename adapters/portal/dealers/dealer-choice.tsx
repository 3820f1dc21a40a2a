import { Text } from "@mantine/core";
import type { Dealer } from "../../../core/dealers/dealer.ts";
import { useListed } from "../api/queries.ts";
import { ChoiceField, TextField } from "../forms/fields.tsx";
import type { Filter } from "../lists/filters.tsx";
import { useMay } from "../session/session.tsx";
import { PageLink } from "../shell/link.tsx";

/** One page of the list; with more dealers, the form asks for the id. */
const MOST = 1000;
const STALE_MS = 60_000;

/** Names and ids of the visible dealers, read once for all components. */
const useDealers = () => {
  const may = useMay();
  return useListed<Pick<Dealer, "id" | "name">>(
    "/dealers",
    { limit: MOST },
    { enabled: may("dealers:read"), staleMs: STALE_MS },
  );
};

/** The name of a dealer, or its id while the name is unknown. */
export const useDealerName = (): ((id: number) => string) => {
  const { data } = useDealers();
  return (id) => data?.items.find((dealer) => dealer.id === id)?.name ?? `Dealer ${id}`;
};

/** A dealer's name as a link to its page. */
export const DealerLink = ({ id }: { id: number }) => {
  const name = useDealerName()(id);
  return useMay()("dealers:read") ? <PageLink to={`/dealers/${id}`}>{name}</PageLink> : name;
};

interface DealerFieldProps {
  readonly path: string;
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly none?: string;
  readonly required?: boolean;
}

/** A choice among the visible dealers, by name. */
export const DealerField = ({ label = "Dealer", none = "Choose a dealer", ...field }: DealerFieldProps) => {
  const { data } = useDealers();
  const nameOf = useDealerName();
  if (data === undefined || data.total > data.items.length)
    return (
      <>
        <TextField {...field} label={`${label} number`} inputMode="numeric" />
        {/^\d+$/.test(field.value) && <Text size="sm">{nameOf(Number(field.value))}</Text>}
      </>
    );
  const known = data.items.map(({ id, name }) => [String(id), name] as const);
  const sorted = known.toSorted(([, one], [, other]) => one.localeCompare(other));
  return <ChoiceField {...field} label={label} options={[["", none] as const, ...sorted]} />;
};

/** A filter by dealer, by name where names are known. */
export const useDealerFilter = (): Filter => {
  const { data } = useDealers();
  if (data === undefined || data.total > data.items.length) return { name: "dealer_id", label: "Dealer number" };
  const known = data.items.map(({ id, name }) => [String(id), name] as const);
  const sorted = known.toSorted(([, one], [, other]) => one.localeCompare(other));
  return { name: "dealer_id", label: "Dealer", options: sorted };
};
