import { useCase } from "../access/use-case.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { requireChange } from "../validation.ts";
import { type Settings, type SettingsChanges, settingsChanges } from "./installation.ts";
import type { SettingsDecision, SettingsRepository } from "./settings-repository.ts";

/** What the world knows of currencies and time zones. */
export interface Standards {
  /** True for a currency of ISO 4217. */
  isCurrency(code: string): boolean;
  /** True for a zone of the IANA database. */
  isTimeZone(name: string): boolean;
}

interface Ports {
  readonly settings: SettingsRepository;
  readonly standards: Standards;
  readonly clock: Clock;
}

type Fields = Readonly<Record<string, unknown>>;

/** The settings after a change of the fields that were sent, if one of the versions is the present one. */
export const settingsChanged = (
  present: Settings,
  changes: SettingsChanges,
  versions: readonly Timestamp[] | null,
): Outcome<SettingsDecision> => {
  if (versions !== null && !versions.includes(present.updated_at))
    return new Failure({ kind: "stale", subject: "settings" });
  const fields = Object.entries(present).map(([name, value]) => [
    name,
    name in changes ? Reflect.get(changes, name) : value,
  ]);
  return { after: Object.fromEntries(fields) as Settings, sent: Object.keys(changes) };
};

/** Use cases of the settings (interface 6.7). Every caller reads them, super-admins change them. */
export const makeSettings = ({ settings, standards, clock }: Ports) => {
  const unknownIn = ({ currency, time_zone }: Fields): Issue[] => [
    ...(typeof currency === "string" && !standards.isCurrency(currency)
      ? [{ path: "currency", message: "must be a currency of ISO 4217, such as EUR" }]
      : []),
    ...(typeof time_zone === "string" && !standards.isTimeZone(time_zone)
      ? [{ path: "time_zone", message: "must be a time zone of the IANA database, such as Europe/Berlin" }]
      : []),
  ];

  return {
    read: useCase("settings.read", (): MaybePromise<Outcome<Settings>> => settings.read()),

    /** The name and the logo, for people who have not signed in. */
    async branding(): Promise<Pick<Settings, "name" | "logo">> {
      const { name, logo } = await settings.read();
      return { name, logo };
    },

    /** Changes the fields that were sent. */
    update: useCase(
      "settings.update",
      async (
        principal,
        { input, versions = null }: { readonly input: unknown; readonly versions?: readonly Timestamp[] | null },
      ): Promise<Outcome<Settings>> => {
        const changes = requireChange(settingsChanges.parse(input, unknownIn));
        if (changes instanceof Failure) return changes;
        const decide = (present: Settings) => settingsChanged(present, changes, versions);
        return settings.change({ now: clock.now(), by: principal }, decide);
      },
    ),
  };
};

export type InstallationSettings = ReturnType<typeof makeSettings>;
