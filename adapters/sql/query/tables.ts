import type { Generated } from "kysely";
import type { Role } from "../../../core/access/permissions.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";

/** The tables as both engines store them: money in cents, timestamps as ISO 8601 text, booleans as 0 or 1. */
export interface Tables {
  vehicles: Omit<Vehicle, "id" | "price"> & {
    id: Generated<number>;
    price_cents: number;
    make_folded: string;
    model_folded: string;
  };
  vehicle_images: {
    id: Generated<number>;
    vehicle_id: number;
    image_url: string;
    is_primary: number;
    display_order: number;
    created_at: string;
  };
  dealers: {
    id: Generated<number>;
    name: string;
    address: string;
    city: string;
    state: string;
    zip: string;
    phone: string;
    email: string;
    website: string | null;
    logo_url: string | null;
    description: string | null;
    /** JSON. */
    hours: string | null;
    /** JSON. */
    social_media: string | null;
    active: number;
    city_folded: string;
    state_folded: string;
    created_at: string;
    updated_at: string;
  };
  vehicle_documents: {
    id: number;
    dealer_id: number;
    updated_at: string;
    /** JSON. */
    document: string;
  };
  dealer_inventory: {
    dealer_id: number;
    available: number;
    sold: number;
    pending: number;
    available_cents: number;
    sold_cents: number;
    pending_cents: number;
  };
  users: {
    id: Generated<number>;
    name: string;
    email: string;
    email_folded: string;
    role: string;
    dealer_id: number | null;
    permissions: number;
    active: number;
    ended_by: Role | null;
    created_at: string;
    updated_at: string;
  };
  api_keys: {
    id: Generated<number>;
    name: string;
    description: string | null;
    app_type: string;
    app_id: string;
    key_start: string;
    association: string;
    user_id: number | null;
    permissions: number;
    rate_limit: number | null;
    active: number;
    ended_by: Role | null;
    bound_since: string | null;
    bootstrap: number;
    expires_at: string | null;
    search_folded: string;
    created_at: string;
    updated_at: string;
  };
  dealer_keys: { dealer_id: number; key_id: number };
  key_secrets: { hash: string; key_id: number; ends_at: string | null };
  key_usage: { key_id: number; last_used_at: string; address: string | null; user_agent: string | null };
  key_usage_hours: {
    key_id: number;
    hour: string;
    served: number;
    denied: number;
    limited: number;
    failed: number;
    unauthorized: number;
  };
  usage_hours: {
    hour: string;
    served: number;
    denied: number;
    limited: number;
    failed: number;
    unauthorized: number;
  };
  key_denials: {
    id: Generated<number>;
    key_id: number;
    at: string;
    status: number;
    code: string;
    method: string;
    route: string;
    address: string;
  };
  usage_writers: { id: string; batch: number; written_at: string };
  access_version: { id: number; version: number };
  audit_entries: {
    id: Generated<number>;
    created_at: string;
    actor_key_id: number | null;
    actor_user_id: number | null;
    actor_name: string;
    via: string;
    action: string;
    resource: string | null;
    resource_id: number | null;
    dealer_id: number | null;
    /** JSON. */
    before: string | null;
    /** JSON. */
    after: string | null;
    address: string | null;
    request_id: string | null;
    /** 0 for no dealer, `null` if it was not recorded. */
    actor_dealer_id: number | null;
  };
  service_secrets: { name: string; secret: string };
  sign_in_accounts: {
    id: Generated<number>;
    user_id: number;
    provider: string;
    account: string;
    password_hash: string;
    created_at: string;
    updated_at: string;
  };
  sessions: {
    id: Generated<number>;
    user_id: number;
    token_hash: string;
    address: string | null;
    user_agent: string | null;
    last_seen_at: string;
    /** When the session ends if it is not used again; never later than `ends_at`. */
    expires_at: string;
    ends_at: string;
    /** When the password or a code was last confirmed; `null` if not since sign-in. */
    proved_at: string | null;
    created_at: string;
    updated_at: string;
  };
  second_factors: {
    id: Generated<number>;
    user_id: number;
    secret: string;
    /** JSON: hashes of the unused recovery codes. */
    recovery_codes: string;
    verified: number;
    failures: number | null;
    locked_until: string | null;
  };
  sign_in_challenges: {
    id: Generated<number>;
    identifier: string;
    value: string;
    expires_at: string;
    created_at: string;
    updated_at: string;
  };
  sign_in_attempts: {
    subject: string;
    account: string | null;
    failures: number;
    locked_until: string | null;
    succeeded_at: string | null;
    last_at: string;
  };
  hourly_counts: { subject: string; begins_at: string; count: number };
  invitations: {
    id: Generated<number>;
    kind: string;
    user_id: number | null;
    token_hash: string;
    created_at: string;
    expires_at: string;
  };
}
