import { settingsRoutes } from "../../adapters/http/api/settings.ts";
import { standards } from "../../adapters/system/standards.ts";
import { makeSettings } from "../../core/settings/settings.ts";
import type { Feature } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** The settings of the installation. */
export const wireSettings = (shared: Shared) => {
  const settings = makeSettings({ settings: shared.settings, standards, clock: shared.clock });
  return { uses: { settings }, routes: () => settingsRoutes(settings) } satisfies Feature;
};
