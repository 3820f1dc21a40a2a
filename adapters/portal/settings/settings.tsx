import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect } from "react";
import type { Settings } from "../../../core/settings/installation.ts";
import { BRANDING, keyOf, useRecord } from "../api/queries.ts";

/** Where they are read and changed. */
export const SETTINGS = "/settings";

/** What amounts and times mean until the settings have arrived, and where nobody is signed in. */
const UNTIL_READ: Pick<Settings, "currency" | "distance_unit" | "time_zone"> = {
  currency: "USD",
  distance_unit: "mi",
  time_zone: null,
};

/** `null` until they have arrived, `undefined` where nobody is signed in. */
const Context = createContext<Settings | null | undefined>(undefined);

/** Provides the installation's settings to its children. */
export const SettingsProvider = ({ children }: { children: ReactNode }) => {
  const { data } = useRecord<Settings>(SETTINGS, {}, { staleMs: "static" });
  return <Context value={data ?? null}>{children}</Context>;
};

/** Tells the whole portal what the settings are now. */
export const useNewSettings = (): ((settings: Settings) => void) => {
  const client = useQueryClient();
  return (settings) => void client.setQueryData(keyOf(SETTINGS), settings);
};

/** What amounts and times mean here. */
export const useUnits = () => useContext(Context) ?? UNTIL_READ;

type Branding = Pick<Settings, "name" | "logo">;

/** The installation's name and logo, also where nobody is signed in. */
export const useBranding = (): Branding => {
  const settings = useContext(Context);
  const open = useRecord<Branding>(BRANDING, {}, { enabled: settings === undefined, staleMs: "static" });
  return settings ?? open.data ?? { name: "Vehicle Inventory", logo: null };
};

/** Names the browser's tab: the page, and the installation. */
export const useTabName = (page: string): void => {
  const { name } = useBranding();
  useEffect(() => {
    document.title = `${page} · ${name}`;
  }, [page, name]);
};
