import { NativeSelect, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useSearchParams } from "wouter";
import type { FeedFinding } from "../../../core/feeds/inspections.ts";
import type { ReadinessCounts } from "../../../core/readiness/count.ts";
import { CursorList } from "../lists/cursor-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { formatNumber } from "../page/figures.tsx";
import { PageLink } from "../page/link.tsx";
import { Section } from "../page/section.tsx";
import { useMay } from "../session/session.tsx";
import { SeverityBadge } from "./feed-state.tsx";
import { prefixWithField } from "./feed-words.ts";
import { IssueList } from "./issue-list.tsx";

type RuleCount = ReadinessCounts["rules"][number];

/** The filters of a feed's vehicles, as parameters of the page's address and of the request. */
const FILTER_NAMES = ["severity", "rule", "field"] as const;
type VehicleFilter = Readonly<Record<(typeof FILTER_NAMES)[number], string>>;

const filterOf = ({ severity, rule, field }: RuleCount): VehicleFilter => ({ severity, rule, field: field ?? "" });

const keyOf = (filter: VehicleFilter): string => FILTER_NAMES.map((name) => filter[name]).join(" ");

/** The address of the vehicles of a feed that break a rule. */
export const ruleUrl = (feedId: number, rule: RuleCount): string =>
  `/channels/${feedId}?${new URLSearchParams(filterOf(rule))}`;

const ALL: VehicleFilter = { severity: "", rule: "", field: "" };
const LEFT_OUT: VehicleFilter = { ...ALL, severity: "error" };

const nameOf = ({ year, make, model, trim }: FeedFinding): string =>
  [year, make, model, trim].filter((part) => part !== null && part !== "").join(" ");

const identifiersOf = ({ stock_number: stock, vin }: FeedFinding): string =>
  [stock ?? "No stock number", vin].filter((mark) => mark !== null).join(" · ");

const VehicleName = ({ finding }: { finding: FeedFinding }) => {
  const name = nameOf(finding);
  return useMay()("vehicles:read") ? <PageLink to={`/vehicles/${finding.vehicle_id}`}>{name}</PageLink> : name;
};

const columnsOf = (feedId: number): readonly Column<FeedFinding>[] => [
  {
    head: "Vehicle",
    cell: (found) => <TwoLineCell first={<VehicleName finding={found} />} second={identifiersOf(found)} />,
  },
  { head: "Effect", cell: ({ ready }) => <SeverityBadge severity={ready ? "warning" : "error"} /> },
  {
    head: "What is wrong, and what to do",
    cell: ({ vehicle_id: vehicleId, dealer_id: dealerId, issues }) => (
      <div className="wraps">
        <IssueList issues={issues} about={{ vehicleId, dealerId, feedId }} />
      </div>
    ),
  },
];

/** The vehicles of a feed with issues, of all rules or of one, a page at a time. */
export const FeedVehicles = ({ feedId, readiness }: { feedId: number; readiness: ReadinessCounts }) => {
  const [params, setParams] = useSearchParams();
  const choice = useRef<HTMLSelectElement>(null);
  const chosen: VehicleFilter = {
    severity: params.get("severity") ?? "",
    rule: params.get("rule") ?? "",
    field: params.get("field") ?? "",
  };
  const key = keyOf(chosen);
  // The vehicles are further down the page, so a link to a rule moves the focus there.
  useEffect(() => {
    if (key !== keyOf(ALL)) choice.current?.focus();
  }, [key]);
  const choices = [
    { narrowing: ALL, label: "All that lack something" },
    { narrowing: LEFT_OUT, label: `All that are left out (${formatNumber(readiness.blocked)})` },
    ...readiness.rules.map((rule) => ({
      narrowing: filterOf(rule),
      label: `${prefixWithField(rule.field, rule.message)} (${formatNumber(rule.count)})`,
    })),
  ];
  // The rule in the address is no longer broken by any vehicle.
  const known = choices.some(({ narrowing }) => keyOf(narrowing) === key)
    ? choices
    : [...choices, { narrowing: chosen, label: "None any more" }];
  const choose = (to: string): void => {
    const narrowing = known.find((one) => keyOf(one.narrowing) === to)?.narrowing ?? ALL;
    setParams(Object.fromEntries(Object.entries(narrowing).filter(([, value]) => value !== "")));
  };
  return (
    <Section
      title="Vehicles"
      actions={
        <NativeSelect
          ref={choice}
          size="xs"
          className="rule-choice"
          aria-label="Show vehicles"
          value={key}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data={known.map(({ narrowing, label }) => ({ value: keyOf(narrowing), label }))}
        />
      }
    >
      <CursorList<FeedFinding>
        key={key}
        path={`/feeds/${feedId}/readiness/vehicles`}
        filters={Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== ""))}
        noun="vehicles"
        caption="Vehicles"
        columns={columnsOf(feedId)}
        keyOf={({ vehicle_id: id }) => id}
        empty={<Text size="sm">No vehicle lacks any of this.</Text>}
      />
    </Section>
  );
};
