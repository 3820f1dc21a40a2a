import type { InstallationSettings } from "../../../core/settings/settings.ts";
import { ok } from "../protocol/route.ts";
import type { PortalEndpoint } from "./endpoint.ts";

/** What the page for signing in shows of the installation: its name and logo. */
export const brandingEndpoints = (settings: Pick<InstallationSettings, "branding">): PortalEndpoint[] => [
  {
    method: "GET",
    path: "/portal/api/branding",
    for: "anybody",
    limit: "page",
    handle: async () => ok(await settings.branding()),
  },
];
