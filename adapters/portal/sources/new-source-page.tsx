import { useLocation } from "wouter";
import type { Source } from "../../../core/sources/source.ts";
import { change } from "../api/client.ts";
import { numberOrText, useDraft } from "../forms/draft.ts";
import { FormPage } from "../forms/form-page.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import { notify } from "../page/notify.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { useTimeZone } from "../times/times.tsx";
import { bodyOfSource, emptySource, issuesOfSource } from "./source-draft.ts";
import { SourceFields } from "./source-fields.tsx";

/** Adds a source. */
export const NewSourcePage = () => {
  const [, go] = useLocation();
  const { user } = useSession();
  const draft = useDraft(emptySource(bindingOf(user), useTimeZone()));
  const add = async (): Promise<void> => {
    throwIfIssues(issuesOfSource(draft.values));
    const dealer_id = numberOrText(draft.values.dealer_id) ?? undefined;
    const source = await change<Source>("POST", "/import-sources", { ...bodyOfSource(draft.values), dealer_id });
    notify(`${source.name} is added.`);
    go(`/imports/sources/${source.id}`);
  };
  return (
    <FormPage
      title="Add a source"
      breadcrumbs={[
        ["Import", "/imports"],
        ["Sources", "/imports/sources"],
      ]}
      submit="Add the source"
      cancelTo="/imports/sources"
      isChanged={draft.isChanged}
      onSubmit={add}
    >
      <SourceFields draft={draft} />
    </FormPage>
  );
};
