import { useInfiniteQuery } from "@tanstack/react-query";
import type { AuditEntry } from "../../../core/audit/audit-entry.ts";
import type { Formats } from "../../../core/audit/field-words.ts";
import type { Named } from "../../../core/names/names.ts";
import { type Query, readList } from "../api/client.ts";
import { useDealerNames } from "../choices/dealer-choice.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { useTimeFormats } from "../times/times.tsx";

/** An entry with the name of the dealer it is about. */
export type NamedEntry = Named<AuditEntry>;

/** Entries of the audit log, newest first; each page continues after the one before. */
export const useAuditEntries = (filters: Query, pageSize: number) =>
  useInfiniteQuery({
    queryKey: ["/audit", filters, pageSize],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const cursor = new URLSearchParams(pageParam).get("cursor") ?? undefined;
      return readList<NamedEntry>("/audit", { ...filters, include: "names", limit: pageSize, cursor }, signal);
    },
    getNextPageParam: ({ next }) => next,
  });

const DEALER_FIELDS = ["dealer_id", "bound_dealer_id"] as const;

/** The dealers that the recorded values name. */
const dealersIn = ({ before, after }: NamedEntry): readonly number[] =>
  [before, after]
    .flatMap((fields) => DEALER_FIELDS.map((field) => fields?.[field]))
    .filter((id) => typeof id === "number");

/** Formats for the recorded values of these entries. */
export const useFormats = (entries: readonly NamedEntry[]): Formats => {
  const carried = new Map(entries.map(({ dealer_id, dealer_name }) => [dealer_id, dealer_name]));
  const others = new Set(entries.flatMap(dealersIn).filter((id) => carried.get(id) == null));
  const nameOf = useDealerNames([...others]);
  const { price, distance } = useAmountFormats();
  return { price, distance, moment: useTimeFormats().full, dealer: (id) => carried.get(id) ?? nameOf(id) };
};
