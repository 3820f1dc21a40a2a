import type { Core } from "../../app/compose-core.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { Failure, type Outcome } from "../../core/failure.ts";
import type { MaybePromise } from "../../core/maybe-promise.ts";
import { dealerBody, imageBody, keyBody, userBody, vehicleBody } from "../support/sample-records.ts";

/** The existing records by kind; images by their vehicle. */
export interface Stock {
  readonly dealers: number[];
  readonly vehicles: number[];
  readonly images: { readonly id: number; readonly vehicle: number }[];
  readonly keys: number[];
  readonly users: number[];
}

/** The records of one step. */
export interface Target {
  readonly dealer: number;
  readonly vehicle: number;
  readonly image: { readonly id: number; readonly vehicle: number };
  /** Every image of the image's vehicle. */
  readonly images: readonly number[];
  readonly key: number;
  readonly user: number;
}

/** A change as each entry point makes it, and its name in the audit log. */
export interface Change {
  readonly action: string;
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: (at: Target) => string;
  readonly body?: (at: Target, step: number) => object;
  /** The same through the use case; absent if the command line cannot do it. */
  readonly command?: (core: Core, at: Target, body: object) => MaybePromise<Outcome<unknown>>;
  /** The record that changes; for a creation the answer names it. */
  readonly id: (at: Target) => number | null | "made";
  /** The kind of record that it adds or removes. */
  readonly stock?: keyof Stock;
  readonly removes?: true;
}

const images = ({ image }: Target): string => `/api/vehicles/${image.vehicle}/images`;
const key = (at: Target): string => `/api/keys/${at.key}`;
const user = (at: Target): string => `/api/users/${at.user}`;
const PAIR = { resource: "vehicles", action: "write" } as const;

/** Every change. */
export const CHANGES: readonly Change[] = [
  {
    ...{ action: "vehicle.created", method: "POST", path: () => "/api/vehicles", id: () => "made", stock: "vehicles" },
    body: (at) => vehicleBody(at.dealer),
    command: (core, _, body) => core.vehicles.create(OPERATOR, body),
  },
  {
    ...{
      action: "vehicle.changed",
      method: "PUT",
      path: (at) => `/api/vehicles/${at.vehicle}`,
      id: (at) => at.vehicle,
    },
    body: (_, step) => ({ mileage: step }),
    command: async (core, at, body) => core.vehicles.update(OPERATOR, { id: at.vehicle, input: body, versions: null }),
  },
  {
    ...{ action: "vehicle.removed", method: "DELETE", path: (at) => `/api/vehicles/${at.vehicle}` },
    ...{ id: (at) => at.vehicle, stock: "vehicles", removes: true },
    command: (core, at) => core.vehicles.remove(OPERATOR, at.vehicle, null),
  },
  {
    ...{ action: "image.added", method: "POST", path: images, id: () => "made", stock: "images" },
    body: () => imageBody(),
    async command(core, at, body) {
      const added = await core.images.add(OPERATOR, at.image.vehicle, body);
      return added instanceof Failure ? added : added.image;
    },
  },
  {
    ...{
      action: "image.changed",
      method: "PUT",
      path: (at) => `${images(at)}/${at.image.id}`,
      id: (at) => at.image.id,
    },
    body: (_, step) => ({ display_order: step, ...(step % 2 === 0 && { is_primary: true }) }),
    command: (core, at, body) =>
      core.images.update(OPERATOR, { vehicleId: at.image.vehicle, imageId: at.image.id, input: body }),
  },
  {
    ...{ action: "image.ordered", method: "PUT", path: images, id: () => null },
    body: (at) => ({ image_ids: at.images.toReversed() }),
    command: (core, at, body) => core.images.reorder(OPERATOR, at.image.vehicle, body),
  },
  {
    ...{ action: "image.removed", method: "DELETE", path: (at) => `${images(at)}/${at.image.id}` },
    ...{ id: (at) => at.image.id, stock: "images", removes: true },
    command: (core, at) => core.images.remove(OPERATOR, at.image.vehicle, at.image.id),
  },
  {
    ...{ action: "dealer.created", method: "POST", path: () => "/api/dealers", id: () => "made", stock: "dealers" },
    body: () => dealerBody(),
    command: (core, _, body) => core.dealers.create(OPERATOR, body),
  },
  {
    ...{ action: "dealer.changed", method: "PUT", path: (at) => `/api/dealers/${at.dealer}`, id: (at) => at.dealer },
    body: (_, step) => ({ phone: `503-555-${step}`, active: true }),
    command: (core, at, body) => core.dealers.update(OPERATOR, { id: at.dealer, input: body, versions: null }),
  },
  {
    ...{ action: "dealer.changed", method: "DELETE", path: (at) => `/api/dealers/${at.dealer}`, id: (at) => at.dealer },
    command: (core, at) => core.dealers.deactivate(OPERATOR, at.dealer, null),
  },
  {
    ...{ action: "key.created", method: "POST", path: () => "/api/keys", id: () => "made", stock: "keys" },
    body: (at, step) => keyBody(step % 2 === 0 ? { user_id: at.user } : { dealer_id: at.dealer, rate_limit: 5 }),
    command: async (core, _, body) => {
      const made = await core.keys.create(OPERATOR, body);
      return "record" in made ? made.record : made;
    },
  },
  {
    ...{ action: "key.changed", method: "PUT", path: key, id: (at) => at.key },
    body: (_, step) => ({ description: `Step ${step}`, active: true }),
    command: (core, at, body) => core.keys.update(OPERATOR, at.key, body),
  },
  {
    ...{ action: "key.changed", method: "POST", path: (at) => `${key(at)}/revoke`, id: (at) => at.key },
    command: (core, at) => core.keys.revoke(OPERATOR, at.key),
  },
  {
    ...{ action: "key.rotated", method: "POST", path: (at) => `${key(at)}/rotate`, id: (at) => at.key },
    body: (_, step) => ({ grace_seconds: step % 3 }),
    command: (core, at, body) => core.keys.rotate(OPERATOR, at.key, body),
  },
  {
    ...{ action: "key.changed", method: "PUT", path: (at) => `${key(at)}/permissions/vehicles/write` },
    id: (at) => at.key,
    command: (core, at) => core.keys.grant(OPERATOR, at.key, PAIR),
  },
  {
    ...{ action: "key.changed", method: "DELETE", path: (at) => `${key(at)}/permissions/vehicles/write` },
    id: (at) => at.key,
    command: (core, at) => core.keys.withdraw(OPERATOR, at.key, PAIR),
  },
  {
    ...{ action: "key.removed", method: "DELETE", path: key, id: (at) => at.key, stock: "keys", removes: true },
    command: (core, at) => core.keys.remove(OPERATOR, at.key),
  },
  {
    ...{ action: "user.created", method: "POST", path: () => "/api/users", id: () => "made", stock: "users" },
    body: (at, step) => userBody({ email: `step${step}@example.com`, dealer_id: at.dealer }),
    command: (core, _, body) => core.users.create(OPERATOR, body),
  },
  {
    ...{ action: "user.changed", method: "PUT", path: user, id: (at) => at.user },
    body: (_, step) => ({ name: `Person of step ${step}`, active: true }),
    command: (core, at, body) => core.users.update(OPERATOR, at.user, body),
  },
  {
    ...{ action: "user.changed", method: "DELETE", path: user, id: (at) => at.user },
    command: (core, at) => core.users.deactivate(OPERATOR, at.user),
  },
  { action: "user.invited", method: "POST", path: (at) => `${user(at)}/invitation`, id: (at) => at.user },
];
