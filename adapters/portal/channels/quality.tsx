import { Text } from "@mantine/core";
import { useState } from "react";
import type { AnsweredQuality } from "../../../core/readiness/readiness.ts";
import { useRecord } from "../api/queries.ts";
import { DealerField } from "../choices/dealer-choice.tsx";
import { type Column, RecordTable } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { FigureRow, formatNumber } from "../page/figures.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { Section } from "../page/section.tsx";
import { StateBadge } from "../page/state-badge.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { prefixWithField, QUALITY_LABELS } from "./feed-words.ts";
import { isMendable, MendButton } from "./mend-quality.tsx";

/** The service checks every vehicle of a dealer for this answer. */
const STALE_MS = 60_000;

type RuleCount = AnsweredQuality["rules"][number];

const COLUMNS: readonly Column<RuleCount>[] = [
  {
    head: "What is wrong",
    cell: ({ field, message, fix }) => <TwoLineCell first={prefixWithField(field, message)} second={fix} />,
  },
  {
    head: "How bad",
    cell: ({ severity }) => {
      const [label, color] = QUALITY_LABELS[severity];
      return <StateBadge color={color}>{label}</StateBadge>;
    },
  },
  { head: "Vehicles", numeric: true, cell: ({ count }) => formatNumber(count) },
];

/** The columns for the rules that a dealer's vehicles break. */
const columnsFor = (dealerId: string, rules: readonly RuleCount[]): readonly Column<RuleCount>[] =>
  rules.some(({ rule }) => isMendable(rule))
    ? [...COLUMNS, { head: "All at once", cell: (rule) => <MendButton dealerId={dealerId} rule={rule} /> }]
    : COLUMNS;

const DealerQuality = ({ dealerId }: { dealerId: string }) => {
  const quality = useRecord<AnsweredQuality>("/quality", { dealer_id: dealerId }, { staleMs: STALE_MS });
  return (
    <QueryResult query={quality} lines={3}>
      {({ score, vehicles, rules }) => (
        <>
          <FigureRow
            figures={[
              ["Score", score === null ? "—" : `${score} of 100`],
              ["Vehicles", vehicles],
            ]}
          />
          {rules.length === 0 ? (
            <Text size="sm">Nothing is wrong with any vehicle.</Text>
          ) : (
            <RecordTable
              caption="Quality"
              columns={columnsFor(dealerId, rules)}
              rows={rules}
              keyOf={({ rule, severity, field }) => `${rule} ${severity} ${field}`}
            />
          )}
        </>
      )}
    </QueryResult>
  );
};

/** The quality of a dealer's listings under the service's own rules, independent of feeds. */
export const Quality = () => {
  const bound = bindingOf(useSession().user);
  const [chosen, setChosen] = useState("");
  const dealerId = bound === null ? chosen : String(bound);
  return (
    <Section title="Quality">
      {bound === null && <DealerField path="dealer_id" value={chosen} onChange={setChosen} />}
      {/^\d+$/.test(dealerId) ? (
        <DealerQuality key={dealerId} dealerId={dealerId} />
      ) : (
        <Text size="sm">How good the listings of a dealer are, and what is wrong with them.</Text>
      )}
    </Section>
  );
};
