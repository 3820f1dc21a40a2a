import { Button } from "@mantine/core";
import { useRecord } from "../api/queries.ts";
import { AuditTrail } from "../audit/audit-trail.tsx";
import { Facts } from "../page/facts.tsx";
import { Page } from "../page/page.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { RecordPage } from "../page/record-page.tsx";
import { Section } from "../page/section.tsx";
import { PermissionTable } from "../permissions/permissions.tsx";
import { useMay } from "../session/session.tsx";
import { DateAndRelativeTime, DateTime } from "../times/times.tsx";
import { KeyEnding } from "./key-ending.tsx";
import { type KeyAction, useKeyActions } from "./key-menu.tsx";
import { AssociationOf, type KeyState, KeyStateBadge, type NamedKey, stateOf } from "./key-state.tsx";
import { KeyUsageSections } from "./key-usage.tsx";
import { OldSecret } from "./old-secret.tsx";

const BREADCRUMBS = [["Keys", "/keys"]] as const;

/** The main action for a key in each state. */
const MAIN_ACTIONS: Readonly<Record<KeyState, KeyAction>> = {
  active: "rotate",
  expired: "extend",
  revoked: "reactivate",
  "user inactive": "rotate",
};

const limitOf = ({ effective_rate_limit, rate_limit, app_type }: NamedKey): string =>
  `${effective_rate_limit} requests a minute${rate_limit === null ? `, as every ${app_type} key` : ", set for this key"}`;

/** "Public, from https://www.harbor.example.com". */
const inBrowsersOf = ({ public: isPublic, allowed_origins }: NamedKey): string =>
  `${isPublic ? "Public" : "Not public"}, from ${allowed_origins?.join(", ") ?? "any origin"}`;

/** "For Harbor Motors · web · 100 requests a minute". */
const lineOf = ({ association, dealer_name, user_name, app_type, effective_rate_limit }: NamedKey): string => {
  const whose = { dealer: dealer_name, user: user_name, none: "every dealer" }[association];
  return `${whose ? `For ${whose} · ` : ""}${app_type} · ${effective_rate_limit} requests a minute`;
};

const KeyFacts = ({ record }: { record: NamedKey }) => (
  <Facts
    facts={[
      ["Begins with", <code key="start">{record.key_start}…</code>],
      ["Association", <AssociationOf key="association" record={record} />],
      ["App type", record.app_type],
      ["App id", record.app_id],
      ["Description", record.description ?? "None"],
      ["Expires", record.expires_at === null ? "Never" : <DateAndRelativeTime key="expires" at={record.expires_at} />],
      ["Limit", limitOf(record)],
      ...(record.owner_email !== null ? [["Owner's email", record.owner_email] as const] : []),
      ...(record.public || record.allowed_origins !== null ? [["In browsers", inBrowsersOf(record)] as const] : []),
      ...(record.allowed_networks !== null ? [["Only from", record.allowed_networks.join(", ")] as const] : []),
      ["Created", <DateTime key="created" at={record.created_at} />],
    ]}
  />
);

const KeyView = ({ record }: { record: NamedKey }) => {
  const may = useMay();
  const { actions, menuItemOf, dialog } = useKeyActions(record);
  const mainAction = MAIN_ACTIONS[stateOf(record)];
  const isButton = (action: KeyAction): boolean => action === "edit" || action === "rotate" || action === mainAction;
  return (
    <RecordPage
      title={record.name}
      breadcrumbs={BREADCRUMBS}
      state={<KeyStateBadge record={record} />}
      subtitle={lineOf(record)}
      actions={actions
        .filter(isButton)
        .map(menuItemOf)
        .map(({ label, onClick }, at, { length }) => (
          // The last button is the main one.
          <Button key={label} variant={at === length - 1 ? "filled" : "default"} onClick={onClick}>
            {label}
          </Button>
        ))}
      menu={actions.filter((action) => !isButton(action)).map(menuItemOf)}
      above={
        <>
          <KeyEnding record={record} />
          <OldSecret record={record} />
        </>
      }
      aside={
        <>
          <Section title="Facts">
            <KeyFacts record={record} />
          </Section>
          <PermissionTable pairs={record.permissions} />
        </>
      }
      below={may("audit:read") && <AuditTrail resource="keys" id={record.id} />}
    >
      <KeyUsageSections record={record} />
      {dialog}
    </RecordPage>
  );
};

/** The page of one key: its use and denials, its details, its history last. */
export const KeyPage = ({ id }: { id: string }) => {
  const key = useRecord<NamedKey>(`/keys/${id}`, { include: "names" });
  if (key.data !== undefined) return <KeyView record={key.data} />;
  return (
    <Page title="Key" breadcrumbs={BREADCRUMBS}>
      <QueryResult query={key}>{() => null}</QueryResult>
    </Page>
  );
};
