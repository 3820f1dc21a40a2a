import type { Clock, Timestamp } from "../clock.ts";

/** What a change that is listed was. */
export const CHANGE_KINDS = ["edit", "bulk", "import", "batch", "creation", "removal", "reversal"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The change that the changes of several records belong to, so that it can be reverted as a whole. */
export interface NamedChange {
  readonly id: string;
  readonly kind: ChangeKind;
  /** When it began. */
  readonly at: Timestamp;
  /** The change that this one reverts. */
  readonly reverts?: string;
}

/** The number of random characters in an id. */
const RANDOM_LENGTH = 10;
const RADIX = 36;

/** A change that begins now, with an id of its own. Later ids are greater, so that their index grows at its end. */
export const beginChange = (clock: Pick<Clock, "now" | "nowMs">, kind: ChangeKind): NamedChange => ({
  id: `${clock.nowMs().toString(RADIX)}${crypto.randomUUID().replaceAll("-", "").slice(0, RANDOM_LENGTH)}`,
  kind,
  at: clock.now(),
});

/** The id of the change that an import makes. All of its steps, in whatever process, belong to it. */
export const changeIdOfImport = (importId: number): string => `import-${importId}`;

/** The caller of a change of one record. In the portal it has an id, so that people can take it back. */
export const namedInPortal = <Caller extends { readonly via: string; readonly change?: NamedChange }>(
  caller: Caller,
  clock: Pick<Clock, "now" | "nowMs">,
  kind: ChangeKind,
): Caller => (caller.via === "portal" ? { ...caller, change: beginChange(clock, kind) } : caller);
