import { NativeSelect, Text } from "@mantine/core";
import { useState } from "react";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { PresentedUsage } from "../../../core/keys/usage.ts";
import type { Denial } from "../../../core/keys/usage-repository.ts";
import { useRecord } from "../api/queries.ts";
import { Answered } from "../lists/answered.tsx";
import { type Column, RecordTable } from "../lists/record-table.tsx";
import { TwoFacts } from "../lists/two-facts.tsx";
import { Ago, AgoOr } from "../moments/moment.tsx";
import { FigureRow } from "../shell/figures.tsx";
import { Section } from "../shell/section.tsx";
import { Requests } from "./requests.tsx";
import { ENDS, endsIn, WINDOWS, type WindowName, windowStart } from "./usage-spans.ts";

const NAMES = Object.keys(WINDOWS) as WindowName[];

const DENIALS: readonly Column<Denial>[] = [
  { head: "When", cell: ({ at }) => <Ago at={at} /> },
  { head: "Status", cell: ({ status }) => status },
  { head: "Reason", cell: ({ code }) => code.replaceAll("_", " ") },
  { head: "Request", cell: ({ method, route }) => <code>{`${method} ${route}`}</code> },
  { head: "Address", cell: ({ address }) => address ?? "Unknown" },
];

/** The recent denials of the key, and its last use. */
const Refused = ({ denials }: { denials: readonly Denial[] }) => (
  <Section title="Recent denials">
    {denials.length === 0 ? (
      <Text size="sm">None of the key's requests was refused lately.</Text>
    ) : (
      <RecordTable
        caption="Recent denials"
        columns={DENIALS}
        rows={denials}
        keyOf={(denial) => JSON.stringify(denial)}
      />
    )}
  </Section>
);

/** When a key was last used, from where and with what, as far as that is kept. */
const LastUse = ({ record, usage }: { record: PresentedKey; usage: PresentedUsage }) => {
  const { last_use } = usage;
  if (last_use === null) return <AgoOr at={record.last_used_at} otherwise="Never" />;
  const by = [last_use.address, last_use.user_agent].filter((known) => known !== null);
  return <TwoFacts first={<Ago at={last_use.at} />} second={by.join(" · ")} />;
};

/** How its requests of the window ended, and the last of them. */
const figuresOf = (record: PresentedKey, usage: PresentedUsage) => {
  const ends = endsIn(usage.hours);
  return [
    ...ENDS.map(([end, label]) => [label, ends[end]] as const),
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
        <Answered query={usage}>
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
        </Answered>
      </Section>
      {usage.data !== undefined && <Refused denials={usage.data.recent_denials} />}
    </>
  );
};
