import { scopeOf } from "../access/decide.ts";
import type { Association } from "../access/principal.ts";
import { useCase } from "../access/use-case.ts";
import { visibilityOfKeys } from "../access/visibility.ts";
import type { Timestamp } from "../clock.ts";
import type { DealerRepository } from "../dealers/dealer-repository.ts";
import type { Dealer } from "../dealers/fields.ts";
import { notFound, type Outcome } from "../failure.ts";
import { type AppType, type PermissionPair, pairsOfSet } from "../permissions.ts";
import type { KeyRepository } from "./key-repository.ts";

/** The fields of a dealer that its website prints. */
export const PRINTED_DEALER_FIELDS = [
  "id",
  "name",
  "address",
  "city",
  "state",
  "zip",
  "phone",
  "email",
  "website",
  "logo_url",
  "hours",
  "latitude",
  "longitude",
] as const satisfies readonly (keyof Dealer)[];

/** The dealer of a key, as far as its website prints it. */
type PrintedDealer = Pick<Dealer, (typeof PRINTED_DEALER_FIELDS)[number]>;

/** The tightest limit of a caller, and what was left of it after the request was counted. */
export interface Limits {
  readonly per_minute: number;
  readonly remaining: number;
  readonly reset_seconds: number;
}

/** How a request reached the service: the address that it came from, and what it has left of its limit. */
export interface Arrival {
  readonly address: string;
  readonly limits: Limits;
}

/** What a key learns about itself (interface 6.4). It never contains a secret. */
export interface Me {
  readonly key: {
    readonly id: number;
    readonly name: string;
    readonly app_type: AppType;
    readonly association: Association;
    readonly expires_at: Timestamp | null;
    readonly public: boolean;
    readonly allowed_networks: readonly string[] | null;
  };
  /** `null` for a key that is bound to no dealer. */
  readonly dealer: PrintedDealer | null;
  readonly bound_dealer_id: number | null;
  readonly permissions: readonly PermissionPair[];
  readonly limits: Limits;
  readonly address: string;
}

interface Ports {
  readonly keys: Pick<KeyRepository, "find">;
  readonly dealers: Pick<DealerRepository, "find">;
}

const printed = (dealer: Dealer): PrintedDealer =>
  Object.fromEntries(PRINTED_DEALER_FIELDS.map((name) => [name, dealer[name]])) as unknown as PrintedDealer;

/** The use case of a key that asks about itself. No permission is needed, not even to read the own dealer. */
export const makeMe = ({ keys, dealers }: Ports) =>
  useCase("key.me", async (principal, { address, limits }: Arrival): Promise<Outcome<Me>> => {
    const keyId = principal.keyId ?? 0;
    const key = await keys.find(keyId, visibilityOfKeys(principal));
    if (key === null) return notFound("key", keyId);
    const scope = scopeOf(principal);
    const dealer = scope === null ? null : await dealers.find(scope, scope);
    return {
      key: {
        id: key.id,
        name: key.name,
        app_type: key.appType,
        association: key.association,
        expires_at: key.expiresAt,
        public: key.isPublic,
        allowed_networks: key.allowedNetworks,
      },
      dealer: dealer && printed(dealer),
      bound_dealer_id: principal.dealerId,
      permissions: pairsOfSet(principal.permissions),
      limits,
      address,
    };
  });

export type ReadMe = ReturnType<typeof makeMe>;
