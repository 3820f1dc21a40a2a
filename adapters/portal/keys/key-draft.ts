import type { Association } from "../../../core/access/principal.ts";
import { onlySuperAdminMakesNoneKeys } from "../../../core/access/rules/only-super-admin-makes-none-keys.ts";
import type { PresentedKey } from "../../../core/keys/key.ts";
import { DEFAULT_PERMISSIONS, type PermissionSet, pairsOfSet, setOfPairs } from "../../../core/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { numberOrText } from "../forms/draft.ts";
import { type HeldFields, heldFields, sentFields } from "../forms/field-values.ts";
import { powersOf } from "../session/powers.ts";

const FIELDS = {
  ...({ name: "word", description: "text", app_id: "word", owner_email: "text" } as const),
  ...({ dealer_id: "id", user_id: "id", expires_at: "endOfDay", rate_limit: "number", public: "flag" } as const),
  ...({ allowed_origins: "words", allowed_networks: "words" } as const),
} as const;

/** A key as the form holds it. Origins and networks stand one in each line. */
export interface KeyDraft extends HeldFields<typeof FIELDS>, Pick<PresentedKey, "app_type" | "association"> {
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
  ...heldFields(FIELDS, creator.role === "user" ? { user_id: creator.id } : {}),
  app_type: "web",
  association: creator.role === "user" ? "user" : "dealer",
  permissions: DEFAULT_PERMISSIONS.web & setOfPairs(creator.permissions),
});

/** The form of an existing key. */
export const draftOf = (key: PresentedKey): KeyDraft => ({
  ...heldFields(FIELDS, key),
  app_type: key.app_type,
  association: key.association,
  permissions: setOfPairs(key.permissions),
});

// An empty choice is sent for the service to reject; without it, the key would get no association.
const chosen = (text: string): number | string => numberOrText(text) ?? "";

/**
 * The request body of a draft. A user with a dealer sends that dealer; a key of a user has no permissions of its own.
 */
export const bodyOf = (draft: KeyDraft, boundTo: number | null) => ({
  ...sentFields(FIELDS, draft),
  app_type: draft.app_type,
  dealer_id: draft.association === "dealer" ? (boundTo ?? chosen(draft.dealer_id)) : null,
  user_id: draft.association === "user" ? chosen(draft.user_id) : null,
  ...(draft.association !== "user" && { permissions: pairsOfSet(draft.permissions) }),
});
