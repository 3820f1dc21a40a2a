import type { Dealer } from "../../../core/dealers/dealer.ts";
import { Section } from "../shell/section.tsx";
import { DealerFacts } from "./dealer-facts.tsx";

/** What is known about a dealer. */
export const DealerDetails = ({ dealer }: { dealer: Dealer }) => (
  <Section title="Facts">
    <DealerFacts dealer={dealer} />
  </Section>
);
