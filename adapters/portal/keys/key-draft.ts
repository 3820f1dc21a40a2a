import type { Association } from "../../../core/access/principal.ts";
import { onlySuperAdminMakesNoneKeys } from "../../../core/access/rules/only-super-admin-makes-none-keys.ts";
import type { PresentedKey } from "../../../core/keys/key.ts";
import {
  type AppType,
  DEFAULT_PERMISSIONS,
  type PermissionSet,
  pairsOfSet,
  setOfPairs,
} from "../../../core/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { numberOrText, numberText, textOrNull } from "../forms/draft.ts";
import { powersOf } from "../session/powers.ts";
import { dateOf, endOfDate } from "../times/dates.ts";

/** A key as the form holds it. */
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
  readonly public: boolean;
  /** One in each line. */
  readonly allowed_origins: string;
  /** One in each line. */
  readonly allowed_networks: string;
  readonly owner_email: string;
  readonly permissions: PermissionSet;
}

/** The associations that a user may choose for a key, the most common first. */
export const associationsFor = (creator: PresentedUser): readonly (readonly [Association, string])[] => [
  ...(creator.role === "user" && creator.dealer_id === null ? [] : [["dealer", "Dealer"] as const]),
  ["user", "User"],
  ...(onlySuperAdminMakesNoneKeys(powersOf(creator), "none") === null
    ? [["none", "None (super-admin key)"] as const]
    : []),
];

/** The form of a new key, empty. */
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
  public: false,
  allowed_origins: "",
  allowed_networks: "",
  owner_email: "",
  permissions: DEFAULT_PERMISSIONS.web & setOfPairs(creator.permissions),
});

const text = (value: number | null): string => (value === null ? "" : String(value));

/** The form of an existing key. */
export const draftOf = (key: PresentedKey): KeyDraft => ({
  name: key.name,
  description: key.description ?? "",
  app_type: key.app_type,
  app_id: key.app_id,
  association: key.association,
  dealer_id: text(key.dealer_id),
  user_id: text(key.user_id),
  expires_at: dateOf(key.expires_at),
  rate_limit: numberText(key.rate_limit),
  public: key.public,
  allowed_origins: (key.allowed_origins ?? []).join("\n"),
  allowed_networks: (key.allowed_networks ?? []).join("\n"),
  owner_email: key.owner_email ?? "",
  permissions: setOfPairs(key.permissions),
});

// An empty choice is sent for the service to reject; without it, the key would get no association.
const chosen = (text: string): number | string => numberOrText(text) ?? "";

/** The origins or networks in a text, which are separated by white space; `null` if there are none. */
const wordsIn = (text: string): readonly string[] | null => {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return words.length === 0 ? null : words;
};

/**
 * The request body of a draft. A user with a dealer sends that dealer; a key of a user has no permissions of its own.
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
  public: draft.public,
  allowed_origins: wordsIn(draft.allowed_origins),
  allowed_networks: wordsIn(draft.allowed_networks),
  owner_email: textOrNull(draft.owner_email.trim()),
  ...(draft.association !== "user" && { permissions: pairsOfSet(draft.permissions) }),
});
