import type { InstallationSettings } from "../../../core/settings/settings.ts";
import { ok } from "../protocol/route.ts";
import type { PortalEndpoint } from "./endpoint.ts";

/** The installation's name and logo, which the sign-in page shows. */
export const brandingEndpoints = (settings: Pick<InstallationSettings, "branding">): PortalEndpoint[] => [
  {
    method: "GET",
    path: "/portal/api/branding",
    for: "anybody",
    limit: "page",
    handle: async () => ok(await settings.branding()),
  },
];
