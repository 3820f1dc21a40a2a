import { useCase } from "../access/use-case.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import { andThen, type MaybePromise } from "../maybe-promise.ts";
import { requireChange } from "../validation.ts";
import { type Settings, settingsChanges } from "./installation.ts";
import type { SettingsRepository } from "./settings-repository.ts";

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
      return andThen(settings.read(), ({ name, logo }) => ({ name, logo }));
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
        const updated = await settings.update({ changes, now: clock.now(), versions, by: principal });
        return updated ?? new Failure({ kind: "stale", subject: "settings" });
      },
    ),
  };
};

export type InstallationSettings = ReturnType<typeof makeSettings>;
