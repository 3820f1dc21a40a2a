import { Button, FileInput, Group } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Settings } from "../../../core/settings/installation.ts";
import { useRecord } from "../api/queries.ts";
import { standardChoices } from "../choices/standard-choices.ts";
import { ConflictChoice } from "../forms/conflict.tsx";
import { useEdit } from "../forms/edit.ts";
import { FieldGroups, type FieldList } from "../forms/field-list.tsx";
import { type HeldFields, heldFields, sentFields } from "../forms/field-values.ts";
import { FormPage } from "../forms/form-page.tsx";
import { useIssue } from "../forms/issues.tsx";
import { OwnerFields } from "../imports/owner-fields.tsx";
import { type OwnerRow, ownerRows, ownersOfRows } from "../imports/owner-rows.ts";
import { notify } from "../page/notify.tsx";
import { Page } from "../page/page.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { useSession } from "../session/session.tsx";
import { SETTINGS_PATH, useApplySettings } from "../settings/settings.tsx";

const DATE_ORDERS = [
  ["dmy", "The day is first: 5 June"],
  ["mdy", "The month is first: May 6"],
] as const;

const UNITS = [
  ["mi", "Miles"],
  ["km", "Kilometers"],
] as const;

const FIELDS = { time_zone: "text", resale_days: "number", logo: "text" } as const;

/** The settings as the form holds them; "" stands for `null`. */
interface Draft
  extends HeldFields<typeof FIELDS>,
    Pick<Settings, "name" | "currency" | "distance_unit" | "date_order"> {
  readonly field_owners: readonly OwnerRow[];
}

const draftOf = ({ name, currency, distance_unit, date_order, ...settings }: Settings): Draft => ({
  ...{ name, currency, distance_unit, date_order },
  ...heldFields(FIELDS, settings),
  field_owners: ownerRows(settings.field_owners),
});

const bodyOf = (draft: Draft) => ({
  ...draft,
  ...sentFields(FIELDS, draft),
  field_owners: ownersOfRows(draft.field_owners),
});

const currencies = new Intl.DisplayNames("en", { type: "currency" });
const currencyInWords = (code: string): string => `${code} (${currencies.of(code) ?? code})`;

/** The content of a file as a data URL. */
const contentOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

const LogoField = ({ value, onChange }: { value: string; onChange: (logo: string) => void }) => (
  <>
    <FileInput
      label="Logo"
      description="A PNG, JPEG or WebP picture of up to 64 kB"
      accept="image/png,image/jpeg,image/webp"
      placeholder="Choose a file"
      error={useIssue("logo", { label: "Logo", value, isChosen: true })}
      onChange={async (file) => file !== null && onChange(await contentOf(file))}
    />
    {value !== "" && (
      <Group gap="sm">
        <img src={value} alt="The logo" className="logo" />
        <Button size="compact-sm" variant="default" onClick={() => onChange("")}>
          Remove the logo
        </Button>
      </Group>
    )}
  </>
);

const unitFields = ({ currency, time_zone }: Draft): FieldList<Draft> => ({
  currency: { kind: "choice", label: "Currency", choices: standardChoices("currency", [currency], currencyInWords) },
  distance_unit: { kind: "choice", label: "Distance unit", choices: UNITS },
  time_zone: {
    kind: "choice",
    label: "Time zone",
    choices: [["", "Everybody's own"], ...standardChoices("timeZone", [time_zone])],
  },
  date_order: {
    kind: "choice",
    label: "Dates in files such as 05/06/2026",
    hint: "Where nothing in the file decides.",
    choices: DATE_ORDERS,
  },
});

const SettingsForm = ({ record, onSaved }: { record: Settings; onSaved: (settings: Settings) => void }) => {
  const [, go] = useLocation();
  const applySettings = useApplySettings();
  const { draft, changes, save, conflict, isChanged } = useEdit({ path: SETTINGS_PATH, record, draftOf, bodyOf });
  const { values, set } = draft;
  const submit = async (): Promise<void> => {
    if (Object.keys(changes).length === 0) return go("/");
    const saved = await save<Settings>();
    applySettings(saved);
    onSaved(saved);
    notify("The settings are saved.");
  };
  return (
    <FormPage title="Settings" submit="Save" cancelTo="/" isChanged={isChanged} onSubmit={submit}>
      <ConflictChoice
        conflict={conflict}
        draft={draft}
        resource="settings"
        valueRenderers={{ logo: () => "a picture" }}
      />
      <FieldGroups
        draft={draft}
        groups={[
          {
            title: "Installation",
            description: "Everybody sees the name and the logo, also before they sign in.",
            fields: { name: { kind: "text", label: "Name", required: true } },
            below: <LogoField value={values.logo} onChange={(logo) => set({ logo })} />,
          },
          {
            title: "Numbers and times",
            description: "How prices, mileages and times are shown. Stored numbers are not converted.",
            fields: unitFields(values),
          },
          {
            title: "Sales",
            description:
              "A vehicle that comes back later is on the lot for a second time, and its sale stands in reports.",
            fields: { resale_days: { kind: "whole", label: "Days after a sale in which a return undoes it" } },
          },
        ]}
      />
      <OwnerFields
        others="Without an entry, descriptions, titles, trims, features, images, colours, publishing and featuring belong to the person, all other fields to the file."
        rows={values.field_owners}
        onChange={(field_owners) => set({ field_owners })}
      />
    </FormPage>
  );
};

const Form = () => {
  const settings = useRecord<Settings>(SETTINGS_PATH);
  // A save restarts the form with the saved settings; changes by others do not.
  const [saved, setSaved] = useState<Settings | null>(null);
  if (settings.data !== undefined)
    return <SettingsForm key={saved?.updated_at} record={saved ?? settings.data} onSaved={setSaved} />;
  return (
    <Page title="Settings">
      <QueryResult query={settings}>{() => null}</QueryResult>
    </Page>
  );
};

/** The settings of the installation, for super-admins. */
export const SettingsPage = () =>
  useSession().user.role === "super_admin" ? (
    <Form />
  ) : (
    <Page title="Settings">
      <p>Only a super-admin can change the settings.</p>
    </Page>
  );
