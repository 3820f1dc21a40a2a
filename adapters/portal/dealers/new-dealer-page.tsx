import { useLocation } from "wouter";
import type { Dealer } from "../../../core/dealers/dealer.ts";
import { change } from "../api/client.ts";
import { useDraft } from "../forms/draft.ts";
import { refuse } from "../forms/refuse.ts";
import { sayDone } from "../shell/done.ts";
import { FormPage } from "../shell/form-page.tsx";
import { bodyOfDealer, draftOfDealer, issuesOfNetworks } from "./dealer-draft.ts";
import { DealerFields } from "./dealer-fields.tsx";

/** Adds a dealer. */
export const NewDealerPage = () => {
  const [, go] = useLocation();
  const draft = useDraft(draftOfDealer());
  const add = async (): Promise<void> => {
    refuse(issuesOfNetworks(draft.values));
    const dealer = await change<Dealer>("POST", "/dealers", bodyOfDealer(draft.values));
    sayDone(`${dealer.name} is added.`);
    go(`/dealers/${dealer.id}`);
  };
  return (
    <FormPage
      title="Add a dealer"
      trail={[["Dealers", "/dealers"]]}
      submit="Add the dealer"
      cancel="/dealers"
      isChanged={draft.isChanged}
      onSubmit={add}
    >
      <DealerFields draft={draft} />
    </FormPage>
  );
};
