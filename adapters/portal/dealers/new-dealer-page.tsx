import { useLocation } from "wouter";
import type { Dealer } from "../../../core/dealers/dealer.ts";
import { change } from "../api/client.ts";
import { useDraft } from "../forms/draft.ts";
import { FormPage } from "../forms/form-page.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import { notify } from "../page/notify.tsx";
import { bodyOfDealer, draftOfDealer, issuesOfNetworks } from "./dealer-draft.ts";
import { DealerFields } from "./dealer-fields.tsx";

/** Adds a dealer. */
export const NewDealerPage = () => {
  const [, go] = useLocation();
  const draft = useDraft(draftOfDealer());
  const add = async (): Promise<void> => {
    throwIfIssues(issuesOfNetworks(draft.values));
    const dealer = await change<Dealer>("POST", "/dealers", bodyOfDealer(draft.values));
    notify(`${dealer.name} is added.`);
    go(`/dealers/${dealer.id}`);
  };
  return (
    <FormPage
      title="Add a dealer"
      breadcrumbs={[["Dealers", "/dealers"]]}
      submit="Add the dealer"
      cancelTo="/dealers"
      isChanged={draft.isChanged}
      onSubmit={add}
    >
      <DealerFields draft={draft} />
    </FormPage>
  );
};
