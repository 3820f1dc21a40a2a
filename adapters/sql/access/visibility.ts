import type { Visibility } from "../../../core/access/visibility.ts";
import type { Values } from "../query/statement.ts";

/** The kinds of visibility; each has its own statements. */
export type VisibilityKind = "everything" | "dealer" | "user";

/** The kind of a visibility. */
export const kindOf = (visibility: Visibility): VisibilityKind =>
  visibility === "everything" ? visibility : "dealerId" in visibility ? "dealer" : "user";

/** The parameter values of a visibility's WHERE condition. */
export const visibilityValues = (visibility: Visibility): Values =>
  visibility === "everything"
    ? {}
    : "dealerId" in visibility
      ? { visibleDealer: visibility.dealerId }
      : { visibleUser: visibility.userId };
