import { useLocation } from "wouter";
import type { Dealer } from "../../../core/dealers/dealer.ts";
import { change } from "../api/client.ts";
import { useDraft } from "../forms/draft.ts";
import { Form } from "../forms/form.tsx";
import { sayDone } from "../shell/done.ts";
import { LinkButton } from "../shell/link.tsx";
import { Page } from "../shell/page.tsx";
import { Section } from "../shell/section.tsx";
import { bodyOfDealer, EMPTY_DEALER } from "./dealer-draft.ts";
import { DealerFields } from "./dealer-fields.tsx";

/** Adds a dealer. */
export const NewDealerPage = () => {
  const [, go] = useLocation();
  const draft = useDraft(EMPTY_DEALER);
  const add = async (): Promise<void> => {
    const dealer = await change<Dealer>("POST", "/dealers", bodyOfDealer(draft.values));
    sayDone(`${dealer.name} is added.`);
    go(`/dealers/${dealer.id}`);
  };
  return (
    <Page title="Add a dealer">
      <Section title="The dealer">
        <Form
          label="Add a dealer"
          submit="Add the dealer"
          onSubmit={add}
          beside={
            <LinkButton to="/dealers" variant="default">
              Cancel
            </LinkButton>
          }
        >
          <DealerFields draft={draft} />
        </Form>
      </Section>
    </Page>
  );
};
