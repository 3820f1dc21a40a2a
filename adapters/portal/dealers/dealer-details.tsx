import type { Dealer } from "../../../core/dealers/dealer.ts";
import { TwoColumns } from "../page/record-page.tsx";
import { Section } from "../page/section.tsx";
import { DealerFacts, DealerHours } from "./dealer-facts.tsx";

/** The facts of a dealer and its opening hours. */
export const DealerDetails = ({ dealer }: { dealer: Dealer }) => (
  <TwoColumns
    aside={
      dealer.hours !== null && (
        <Section title="Opening hours">
          <DealerHours hours={dealer.hours} />
        </Section>
      )
    }
  >
    <Section title="Facts">
      <DealerFacts dealer={dealer} />
    </Section>
  </TwoColumns>
);
