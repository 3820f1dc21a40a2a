import type { Clock, Timestamp } from "../clock.ts";

/** What a change that is listed was. */
export const CHANGE_KINDS = [
  "edit",
  "bulk",
  "import",
  "batch",
  "creation",
  "removal",
  "reversal",
  "scheduled",
] as const;
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

const RADIX = 36;
/** Changes of a process are numbered with so many digits. */
const DIGITS = 4;
const MOST = RADIX ** DIGITS;
let begun = 0;

/** A number from the id of a request, which tells changes of several processes in one millisecond apart. */
const numberOf = (requestId: string): number => {
  let number = 0;
  for (let place = 0; place < requestId.length; place++) number = (number * 31 + requestId.charCodeAt(place)) % 2 ** 40;
  return number;
};

/** A change that begins now, with an id of its own. Later ids are greater, so that their index grows at its end. */
export const beginChange = (
  clock: Pick<Clock, "now" | "nowMs">,
  kind: ChangeKind,
  { requestId }: { readonly requestId: string | null },
): NamedChange => {
  begun = (begun + 1) % MOST;
  const number = begun.toString(RADIX).padStart(DIGITS, "0");
  return {
    id: `${clock.nowMs().toString(RADIX)}${number}${numberOf(requestId ?? "").toString(RADIX)}`,
    kind,
    at: clock.now(),
  };
};

/** The id of the change that an import makes. All of its steps, in whatever process, belong to it. */
export const changeIdOfImport = (importId: number): string => `import-${importId}`;

/** The id of the change that a scheduled change makes. All of its steps belong to it. */
export const changeIdOfSchedule = (scheduleId: number): string => `scheduled-${scheduleId}`;

/** The caller of a change of one record. In the portal it has an id, so that people can take it back. */
export const namedInPortal = <
  Caller extends { readonly via: string; readonly requestId: string | null; readonly change?: NamedChange },
>(
  caller: Caller,
  clock: Pick<Clock, "now" | "nowMs">,
  kind: ChangeKind,
): Caller => (caller.via === "portal" ? { ...caller, change: beginChange(clock, kind, caller) } : caller);
