import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect } from "react";
import type { Settings } from "../../../core/settings/installation.ts";
import { BRANDING_PATH, recordKey, useRecord } from "../api/queries.ts";

/** The path of the settings in the service. */
export const SETTINGS_PATH = "/settings";

/** The units until the settings have loaded, and without a session. */
const DEFAULT_UNITS: Pick<Settings, "currency" | "distance_unit" | "time_zone"> = {
  currency: "USD",
  distance_unit: "mi",
  time_zone: null,
};

/** The settings; `null` until they have loaded, `undefined` without a session. */
const Context = createContext<Settings | null | undefined>(undefined);

/** Provides the installation's settings to its children. */
export const SettingsProvider = ({ children }: { children: ReactNode }) => {
  const { data } = useRecord<Settings>(SETTINGS_PATH, {}, { staleMs: "static" });
  return <Context value={data ?? null}>{children}</Context>;
};

/** Applies changed settings to the whole portal. */
export const useApplySettings = (): ((settings: Settings) => void) => {
  const client = useQueryClient();
  return (settings) => void client.setQueryData(recordKey(SETTINGS_PATH), settings);
};

/** The installation's currency, distance unit and time zone. */
export const useUnits = () => useContext(Context) ?? DEFAULT_UNITS;

type Branding = Pick<Settings, "name" | "logo">;

/** The installation's name and logo, with or without a session. */
export const useBranding = (): Branding => {
  const settings = useContext(Context);
  const branding = useRecord<Branding>(BRANDING_PATH, {}, { enabled: settings === undefined, staleMs: "static" });
  return settings ?? branding.data ?? { name: "Vehicle Inventory", logo: null };
};

/** Sets the document title to the page and the installation's name. */
export const useDocumentTitle = (page: string): void => {
  const { name } = useBranding();
  useEffect(() => {
    document.title = `${page} · ${name}`;
  }, [page, name]);
};
