import type { Dealer } from "../../../core/dealers/dealer.ts";
import { change } from "../api/client.ts";
import { useDraft } from "../forms/draft.ts";
import { NewRecordPage } from "../forms/new-record-page.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import { bodyOfDealer, draftOfDealer, issuesOfNetworks } from "./dealer-draft.ts";
import { DealerFields } from "./dealer-fields.tsx";

/** Adds a dealer. */
export const NewDealerPage = () => {
  const draft = useDraft(draftOfDealer());
  const create = (): Promise<Dealer> => {
    throwIfIssues(issuesOfNetworks(draft.values));
    return change<Dealer>("POST", "/dealers", bodyOfDealer(draft.values));
  };
  return (
    <NewRecordPage
      title="Add a dealer"
      breadcrumbs={[["Dealers", "/dealers"]]}
      submit="Add the dealer"
      draft={draft}
      create={create}
      pageOf={({ id }) => `/dealers/${id}`}
    >
      <DealerFields draft={draft} />
    </NewRecordPage>
  );
};
