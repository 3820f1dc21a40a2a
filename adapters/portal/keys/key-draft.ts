import {
  type AppType,
  DEFAULT_PERMISSIONS,
  type PermissionSet,
  pairsOfSet,
  setOfPairs,
} from "../../../core/access/permissions.ts";
import type { Association } from "../../../core/access/principal.ts";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { numberOrText, textOrNull } from "../forms/draft.ts";
import { dateOf, endOfDate } from "../moments/dates.ts";

/** A key as it is typed. */
export interface KeyDraft {
  readonly name: string;
  readonly description: string;
  readonly app_type: AppType;
  readonly app_id: string;
  readonly association: Association;
  readonly dealer_id: string;
  readonly user_id: string;
  readonly expires_at: string;
  readonly rate_limit: string;
  readonly permissions: PermissionSet;
}

/** What somebody may tie a key to, the usual first. */
export const associationsFor = (creator: PresentedUser): readonly (readonly [Association, string])[] => [
  ...(creator.role === "user" && creator.dealer_id === null ? [] : [["dealer", "Dealer"] as const]),
  ["user", "User"],
  ...(creator.role === "super_admin" ? [["none", "None (super-admin key)"] as const] : []),
];

/** A key not yet begun. */
export const emptyKey = (creator: PresentedUser): KeyDraft => ({
  name: "",
  description: "",
  app_type: "web",
  app_id: "",
  association: creator.role === "user" ? "user" : "dealer",
  dealer_id: "",
  user_id: creator.role === "user" ? String(creator.id) : "",
  expires_at: "",
  rate_limit: "",
  permissions: DEFAULT_PERMISSIONS.web & setOfPairs(creator.permissions),
});

const text = (value: number | null): string => (value === null ? "" : String(value));

/** A key to be edited. */
export const draftOf = (key: PresentedKey): KeyDraft => ({
  name: key.name,
  description: key.description ?? "",
  app_type: key.app_type,
  app_id: key.app_id,
  association: key.association,
  dealer_id: text(key.dealer_id),
  user_id: text(key.user_id),
  expires_at: dateOf(key.expires_at),
  rate_limit: text(key.rate_limit),
  permissions: setOfPairs(key.permissions),
});

// What is not chosen is sent as it is, for the service to refuse: left out, the key would be tied to nothing.
const chosen = (text: string): number | string => numberOrText(text) ?? "";

/**
 * The draft as the service takes it; the association follows from dealer and user. Who is bound to a dealer names that
 * one; a user's key has no pairs of its own.
 */
export const bodyOf = (draft: KeyDraft, boundTo: number | null) => ({
  name: draft.name,
  description: textOrNull(draft.description),
  app_type: draft.app_type,
  app_id: draft.app_id,
  dealer_id: draft.association === "dealer" ? (boundTo ?? chosen(draft.dealer_id)) : null,
  user_id: draft.association === "user" ? chosen(draft.user_id) : null,
  expires_at: endOfDate(draft.expires_at),
  rate_limit: numberOrText(draft.rate_limit),
  ...(draft.association !== "user" && { permissions: pairsOfSet(draft.permissions) }),
});
