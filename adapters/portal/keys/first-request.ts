import { POLICY } from "../../../core/access/policy.ts";
import { holds, RESOURCES, type Resource, setOfPairs } from "../../../core/permissions.ts";
import { RESOURCE_TRAITS } from "../../../core/resources.ts";
import type { KeyWithSecret } from "../api/responses.ts";

/** False for a resource that has permissions but no list yet. */
const hasList = (resource: Resource): boolean => `${RESOURCE_TRAITS[resource].record}.list` in POLICY;

/** A path that the key may read. Every key may read settings. */
const readableBy = ({ permissions }: KeyWithSecret): string => {
  const held = setOfPairs(permissions);
  const resource = RESOURCES.find((one) => hasList(one) && holds(held, `${one}:read`));
  return resource === undefined ? "/api/settings" : `/api/${resource}?limit=1`;
};

/** A first request with a key to the service at `origin`, as a shell command; the service answers with 200. */
export const firstRequest = (shown: KeyWithSecret, origin: string): string => {
  const type = shown.app_type === "desktop" ? ` -H "X-App-Type: desktop"` : "";
  return `curl "${origin}${readableBy(shown)}" -H "X-API-Key: ${shown.api_key}"${type}`;
};
