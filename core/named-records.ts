import { Failure } from "./failure.ts";
import { type Issue, Issues } from "./issues.ts";

/** A field of a body that names records by their ids: one, or a list. */
export interface NamingField {
  readonly path: string;
  readonly word: "dealer" | "user";
  /** Those of the ids that records have. */
  readonly known: (ids: readonly number[]) => Promise<{ has(id: number): boolean }>;
}

/** The part of the dealers' repository by which a dealer is known to exist. */
export interface KnownDealers {
  names(ids: readonly number[], scope: null): Promise<ReadonlyMap<number, string>>;
}

/** A field that names dealers. */
export const namingDealers = (path: "dealer_id" | "dealer_ids", dealers: KnownDealers): NamingField => ({
  path,
  word: "dealer",
  known: (ids) => dealers.names(ids, null),
});

/** The issue of a field that names records that do not exist. */
export const unknownRecords = ({ path, word }: Pick<NamingField, "path" | "word">, ids: readonly unknown[]): Issue => ({
  path,
  message: `${word} ${ids.join(", ")} does not exist`,
});

/** A refusal with further issues. */
export const withIssues = (refusal: Failure, more: readonly Issue[]): Failure => {
  if (refusal.cause.kind !== "invalid" || more.length === 0) return refusal;
  const all = new Issues();
  all.storeAll([...refusal.cause.issues, ...more]);
  return new Failure({ kind: "invalid", issues: all.list, omitted: refusal.cause.omitted + all.omitted });
};

const idsIn = (value: unknown): readonly number[] => {
  const ids = Array.isArray(value) ? value : [value];
  return ids.every((id) => typeof id === "number") ? ids : [];
};

/**
 * A refusal of a body that names all of its faults: also the records of these fields that do not exist, which are asked
 * for only if the fields themselves are right. It must not be given fields whose records the caller may not know of.
 * Nothing is added to a refusal that leaves some of its issues out: which fields are right is then not known.
 */
export const withUnknownRecords = async (
  refusal: Failure,
  input: unknown,
  fields: readonly NamingField[],
): Promise<Failure> => {
  if (refusal.cause.kind !== "invalid" || refusal.cause.omitted > 0) return refusal;
  if (typeof input !== "object" || input === null) return refusal;
  const faulty = new Set(refusal.cause.issues.map(({ path }) => path.split(/[.[]/, 1)[0]));
  const issues: Issue[] = [];
  for (const field of fields) {
    const ids = faulty.has(field.path) ? [] : idsIn((input as Readonly<Record<string, unknown>>)[field.path]);
    const known = ids.length === 0 ? null : await field.known(ids);
    const unknown = known === null ? [] : ids.filter((id) => !known.has(id));
    if (unknown.length > 0) issues.push(unknownRecords(field, unknown));
  }
  return withIssues(refusal, issues);
};
