import type { Principal } from "../../../core/access/principal.ts";
import { PUBLIC_KEY_ADDRESSES } from "../../../core/access/rate-limits.ts";
import { type Budget, budgetOf } from "../protocol/headers.ts";

const POLICY = "public";

/** The limit of a public key for all addresses together. */
export const allAddressesBudget = ({ keyId, rateLimit }: Principal, shared: Budget | null): Budget =>
  budgetOf({ subject: `key:${keyId}`, policy: POLICY, limit: PUBLIC_KEY_ADDRESSES * rateLimit, shared });

/** True for the limit of a public key for all addresses together. */
export const isBudgetOfAllAddresses = ({ policy }: Pick<Budget, "policy">): boolean => policy === POLICY;

/** The limit of a public key for one address, within that of all addresses. */
export const addressBudget = (
  { keyId, appType, rateLimit }: Principal,
  { address, ofAll }: { readonly address: string; readonly ofAll: Budget },
): Budget => budgetOf({ subject: `key:${keyId} ${address}`, policy: appType, limit: rateLimit, shared: ofAll });
