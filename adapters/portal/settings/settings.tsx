import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect } from "react";
import type { Settings } from "../../../core/settings/installation.ts";
import { BRANDING_PATH, recordKey, useRecord } from "../api/queries.ts";

/** Where they are read and changed. */
export const SETTINGS_PATH = "/settings";

/** What amounts and times mean until the settings have arrived, and where nobody is signed in. */
const DEFAULT_UNITS: Pick<Settings, "currency" | "distance_unit" | "time_zone"> = {
  currency: "USD",
  distance_unit: "mi",
  time_zone: null,
};

/** `null` until they have arrived, `undefined` where nobody is signed in. */
const Context = createContext<Settings | null | undefined>(undefined);

/** Provides the installation's settings to its children. */
export const SettingsProvider = ({ children }: { children: ReactNode }) => {
  const { data } = useRecord<Settings>(SETTINGS_PATH, {}, { staleMs: "static" });
  return <Context value={data ?? null}>{children}</Context>;
};

/** Tells the whole portal what the settings are now. */
export const useApplySettings = (): ((settings: Settings) => void) => {
  const client = useQueryClient();
  return (settings) => void client.setQueryData(recordKey(SETTINGS_PATH), settings);
};

/** What amounts and times mean here. */
export const useUnits = () => useContext(Context) ?? DEFAULT_UNITS;

type Branding = Pick<Settings, "name" | "logo">;

/** The installation's name and logo, also where nobody is signed in. */
export const useBranding = (): Branding => {
  const settings = useContext(Context);
  const branding = useRecord<Branding>(BRANDING_PATH, {}, { enabled: settings === undefined, staleMs: "static" });
  return settings ?? branding.data ?? { name: "Vehicle Inventory", logo: null };
};

/** Names the browser's tab: the page, and the installation. */
export const useDocumentTitle = (page: string): void => {
  const { name } = useBranding();
  useEffect(() => {
    document.title = `${page} · ${name}`;
  }, [page, name]);
};
