import Type from "typebox";
import type { InstallationSettings } from "../../../core/settings/settings.ts";
import { nullable } from "../api/answers.ts";
import { ok } from "../protocol/route.ts";
import type { PortalEndpoint } from "./endpoint.ts";

/** The installation's name and logo, which the sign-in page shows. */
export const brandingEndpoints = (settings: Pick<InstallationSettings, "branding">): PortalEndpoint[] => [
  {
    method: "GET",
    path: "/portal/api/branding",
    name: "getBranding",
    summary: "Read the installation's name and logo",
    answer: Type.Object({ name: Type.String(), logo: nullable(Type.String()) }, { title: "Branding" }),
    errors: ["rate_limit_exceeded"],
    for: "anybody",
    limit: "page",
    handle: async () => ok(await settings.branding()),
  },
];
