import { useInfiniteQuery } from "@tanstack/react-query";
import type { AuditEntry } from "../../../core/audit/audit-entry.ts";
import type { Named } from "../../../core/names/names.ts";
import { type Query, readList } from "../api/client.ts";

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
