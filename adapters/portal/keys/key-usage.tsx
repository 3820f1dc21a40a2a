import { NativeSelect, Text } from "@mantine/core";
import { useState } from "react";
import type { PresentedUsage } from "../../../core/keys/usage.ts";
import type { Denial } from "../../../core/keys/usage-repository.ts";
import { useRecord } from "../api/queries.ts";
import { Answered } from "../lists/answered.tsx";
import { type Column, RecordTable } from "../lists/record-table.tsx";
import { Ago } from "../moments/moment.tsx";
import { Facts } from "../shell/facts.tsx";
import { Section } from "../shell/section.tsx";
import { Requests } from "./requests.tsx";
import { WINDOWS, type WindowName, windowStart } from "./usage-spans.ts";

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

/** The use of a key: volume, clients, denials. */
export const KeyUsageSections = ({ id }: { id: number }) => {
  const [window, setWindow] = useState<WindowName>("24h");
  const usage = useRecord<PresentedUsage>(`/keys/${id}/usage`, { from: windowStart(window) });
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
          {({ hours, last_use }) => (
            <>
              {last_use !== null && (
                <Facts
                  facts={[
                    ["Last use", <Ago key="at" at={last_use.at} />],
                    ["From", last_use.address ?? "Unknown"],
                    ["With", last_use.user_agent ?? "Unknown"],
                  ]}
                />
              )}
              {hours.length === 0 ? (
                <Text size="sm">No requests in the last {WINDOWS[window].label}.</Text>
              ) : (
                <Requests hours={hours} window={window} />
              )}
            </>
          )}
        </Answered>
      </Section>
      {usage.data !== undefined && <Refused denials={usage.data.recent_denials} />}
    </>
  );
};
