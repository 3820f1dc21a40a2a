import { Failure, type Outcome } from "../../../core/failure.ts";
import { andThen } from "../../../core/maybe-promise.ts";
import {
  DEFAULT_SETTINGS,
  SETTINGS_READ_ONLY,
  type Settings,
  SettingsChanges,
} from "../../../core/settings/installation.ts";
import type { InstallationSettings } from "../../../core/settings/settings.ts";
import { type Answer, ok, type Route, route } from "../protocol/route.ts";
import { answerFields, dateTime, type FieldsOf, recordSchema } from "./answers.ts";

/** The settings as they are answered. */
const SettingsAnswer = recordSchema("Settings", {
  ...answerFields(SettingsChanges),
  updated_at: dateTime,
} satisfies FieldsOf<Settings>);

const answerSettings = (outcome: Outcome<Settings>): Outcome<Answer> =>
  outcome instanceof Failure ? outcome : ok(outcome, { version: { id: 1, updated_at: outcome.updated_at } });

/** Routes of the installation's settings (interface 6.7). */
export const settingsRoutes = (settings: InstallationSettings): Route[] => [
  route({
    operation: "settings.read",
    name: "getSettings",
    method: "GET",
    path: "/api/settings",
    summary: "Read the settings",
    description:
      "Allowed for every key. The settings are the name and logo of the installation, its currency, distance unit and time zone.",
    answer: { status: 200, schema: SettingsAnswer, description: "The settings" },
    traits: ["versioned"],
    errors: [],
    handle: ({ principal }) => andThen(settings.read(principal), answerSettings),
  }),
  route({
    operation: "settings.update",
    name: "updateSettings",
    method: "PUT",
    path: "/api/settings",
    summary: "Change the settings",
    description: "Only for super-admins. Settings change how numbers are shown, but never a stored number.",
    body: {
      name: "SettingsChanges",
      schema: SettingsChanges,
      readOnly: SETTINGS_READ_ONLY,
      example: { name: DEFAULT_SETTINGS.name, currency: "EUR", distance_unit: "km", time_zone: "Europe/Berlin" },
    },
    answer: { status: 200, schema: SettingsAnswer, description: "The updated settings" },
    traits: ["versioned"],
    errors: ["exceeds_your_rights", "precondition_failed"],
    async handle({ principal, body, versions }) {
      return answerSettings(await settings.update(principal, { input: body, versions }));
    },
  }),
];
