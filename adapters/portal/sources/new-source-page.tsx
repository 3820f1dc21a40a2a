import type { Source } from "../../../core/sources/source.ts";
import { change } from "../api/client.ts";
import { numberOrText, useDraft } from "../forms/draft.ts";
import { NewRecordPage } from "../forms/new-record-page.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { useTimeZone } from "../times/times.tsx";
import { bodyOfSource, emptySource, issuesOfSource } from "./source-draft.ts";
import { SourceFields } from "./source-fields.tsx";

/** Adds a source. */
export const NewSourcePage = () => {
  const { user } = useSession();
  const draft = useDraft(emptySource(bindingOf(user), useTimeZone()));
  const create = (): Promise<Source> => {
    throwIfIssues(issuesOfSource(draft.values));
    const dealer_id = numberOrText(draft.values.dealer_id) ?? undefined;
    return change<Source>("POST", "/import-sources", { ...bodyOfSource(draft.values), dealer_id });
  };
  return (
    <NewRecordPage
      title="Add a source"
      breadcrumbs={[
        ["Import", "/imports"],
        ["Sources", "/imports/sources"],
      ]}
      submit="Add the source"
      draft={draft}
      create={create}
      pageOf={({ id }) => `/imports/sources/${id}`}
    >
      <SourceFields draft={draft} />
    </NewRecordPage>
  );
};
