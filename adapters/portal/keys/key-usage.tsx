import { NativeSelect, Text } from "@mantine/core";
import { useState } from "react";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { PresentedUsage } from "../../../core/keys/usage.ts";
import { useRecord } from "../api/queries.ts";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { FigureRow } from "../page/figures.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { Section } from "../page/section.tsx";
import { RelativeTime, RelativeTimeOr } from "../times/times.tsx";
import { Refusals } from "./refusals.tsx";
import { Requests } from "./requests.tsx";
import { OUTCOMES, outcomesIn, WINDOWS, type WindowName, windowStart } from "./usage-spans.ts";

const NAMES = Object.keys(WINDOWS) as WindowName[];

/** When, from where and by which client a key was last used, as far as recorded. */
const LastUse = ({ record, usage }: { record: PresentedKey; usage: PresentedUsage }) => {
  const { last_use } = usage;
  if (last_use === null) return <RelativeTimeOr at={record.last_used_at} otherwise="Never" />;
  const by = [last_use.address, last_use.user_agent].filter((known) => known !== null);
  return <TwoLineCell first={<RelativeTime at={last_use.at} />} second={by.join(" · ")} />;
};

/** The outcomes of its requests in the window, and the last use. */
const figuresOf = (record: PresentedKey, usage: PresentedUsage) => {
  const outcomes = outcomesIn(usage.hours);
  return [
    ...OUTCOMES.map(([end, label]) => [label, outcomes[end]] as const),
    ["Last use", <LastUse key="use" record={record} usage={usage} />] as const,
  ];
};

/** The use of a key: volume, clients, denials. */
export const KeyUsageSections = ({ record }: { record: PresentedKey }) => {
  const [window, setWindow] = useState<WindowName>("24h");
  const usage = useRecord<PresentedUsage>(`/keys/${record.id}/usage`, { from: windowStart(window) });
  return (
    <>
      <Section
        title="Usage"
        actions={
          <NativeSelect
            size="xs"
            aria-label="Window of time"
            value={window}
            onChange={({ currentTarget }) => setWindow(NAMES.find((name) => name === currentTarget.value) ?? "24h")}
            data={NAMES.map((name) => ({ value: name, label: `Last ${WINDOWS[name].label}` }))}
          />
        }
      >
        <QueryResult query={usage}>
          {(known) => (
            <>
              <FigureRow figures={figuresOf(record, known)} />
              {known.hours.length === 0 ? (
                <Text size="sm">No requests in the last {WINDOWS[window].label}.</Text>
              ) : (
                <Requests hours={known.hours} window={window} />
              )}
            </>
          )}
        </QueryResult>
      </Section>
      {usage.data !== undefined && <Refusals usage={usage.data} />}
    </>
  );
};
