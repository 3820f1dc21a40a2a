import { Button } from "@mantine/core";
import { admit } from "../../../core/access/decide.ts";
import { dealersKeyMayNotChangeActiveOfDealer } from "../../../core/access/rules/dealers-key-may-not-change-active-of-dealer.ts";
import type { Dealer } from "../../../core/dealers/dealer.ts";
import { useRecord } from "../api/queries.ts";
import { useRecordDialogs } from "../forms/record-dialogs.tsx";
import { lazyPage } from "../page/lazy-page.tsx";
import { LinkButton } from "../page/link.tsx";
import { Page } from "../page/page.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { RecordPage } from "../page/record-page.tsx";
import { recentChangesPath, useMayRevert } from "../recent-changes/recent-changes-link.tsx";
import { bindingOf, powersOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { mayReadToday } from "../today/first-dealer.ts";
import { Inventory } from "../vehicles/inventory.tsx";
import { ActivateDealer, DeactivateDealer, EditDealer } from "./dealer-dialogs.tsx";
import { DealerDetails, DealerFigures, DealerState } from "./dealer-facts.tsx";

const DIALOGS = { edit: EditDealer, deactivate: DeactivateDealer, activate: ActivateDealer };

// Most look at the inventory.
const belongings = () => import("./dealer-belongings.tsx");
const DealerActivity = lazyPage(() => belongings().then((tabs) => tabs.DealerActivity));
const DealerKeys = lazyPage(() => belongings().then((tabs) => tabs.DealerKeys));
const DealerUsers = lazyPage(() => belongings().then((tabs) => tabs.DealerUsers));
const ReportView = lazyPage(() => import("../reports/report-view.tsx").then((tab) => tab.ReportView));
const DealerToday = lazyPage(() => import("../today/today-page.tsx").then((page) => page.DealerToday));

const BREADCRUMBS = [["Dealers", "/dealers"]] as const;

const DealerView = ({ record }: { record: Dealer }) => {
  const may = useMay();
  const { user } = useSession();
  const mayActivate = dealersKeyMayNotChangeActiveOfDealer(bindingOf(user), { active: 0 }, { active: 1 }) === null;
  const mayReport = admit(powersOf(user), "dealer.report") === null;
  const mayRevert = useMayRevert();
  const { open, dialog } = useRecordDialogs(DIALOGS, record);
  const isActive = record.active === 1;
  return (
    <RecordPage
      title={record.name}
      breadcrumbs={BREADCRUMBS}
      state={<DealerState dealer={record} />}
      subtitle={`${record.city}, ${record.state} · ${record.phone} · ${record.email}`}
      actions={
        <>
          {may("dealers:write") && (
            <Button variant="default" onClick={() => open("edit")}>
              Edit
            </Button>
          )}
          {!isActive && mayActivate && may("dealers:write") && (
            <Button variant="default" onClick={() => open("activate")}>
              Activate
            </Button>
          )}
          {may("vehicles:write") && <LinkButton to={`/dealers/${record.id}/vehicles/new`}>Add a vehicle</LinkButton>}
        </>
      }
      menu={[
        mayReadToday(user) && { label: "Walk the lot", to: `/to-walk/${record.id}` },
        mayRevert && { label: "Recent changes", to: recentChangesPath(record.id) },
        isActive &&
          admit(powersOf(user), "dealer.deactivate") === null && {
            label: "Deactivate",
            onClick: () => open("deactivate"),
          },
      ]}
      above={<DealerFigures id={record.id} />}
      tabs={[
        may("vehicles:read") && {
          name: "inventory",
          label: "Inventory",
          content: () => <Inventory dealerId={record.id} />,
        },
        bindingOf(user) === null &&
          mayReadToday(user) && {
            name: "today",
            label: "Today",
            content: () => <DealerToday dealerId={record.id} />,
          },
        may("keys:read") && { name: "keys", label: "Keys", content: () => <DealerKeys dealerId={record.id} /> },
        may("users:read") && { name: "users", label: "Users", content: () => <DealerUsers dealerId={record.id} /> },
        mayReport && {
          name: "report",
          label: "Report",
          content: () => <ReportView path={`/dealers/${record.id}/report`} />,
        },
        may("audit:read") && {
          name: "activity",
          label: "Activity",
          content: () => <DealerActivity dealerId={record.id} />,
        },
        { name: "details", label: "Details", content: () => <DealerDetails dealer={record} /> },
      ]}
    >
      {dialog}
    </RecordPage>
  );
};

/** The page of one dealer: its figures, and a tab each for inventory, keys, users, activity and details. */
export const DealerPage = ({ id }: { id: string }) => {
  const dealer = useRecord<Dealer>(`/dealers/${id}`);
  if (dealer.data !== undefined) return <DealerView record={dealer.data} />;
  return (
    <Page title="Dealer" breadcrumbs={BREADCRUMBS}>
      <QueryResult query={dealer}>{() => null}</QueryResult>
    </Page>
  );
};
