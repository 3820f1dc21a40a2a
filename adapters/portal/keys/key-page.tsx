import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import type { PresentedKey } from "../../../core/keys/key.ts";
import { useRecord } from "../api/queries.ts";
import { AuditTrail } from "../audit/audit-trail.tsx";
import { Answered } from "../lists/answered.tsx";
import { AgoOr, Moment } from "../moments/moment.tsx";
import { HeldPermissions } from "../permissions/held.tsx";
import { useMay } from "../session/session.tsx";
import { Facts } from "../shell/facts.tsx";
import { Page } from "../shell/page.tsx";
import { Section } from "../shell/section.tsx";
import { EditKey } from "./edit-key.tsx";
import { DeleteDialog, ReactivateDialog, RevokeDialog, RotateDialog } from "./key-dialogs.tsx";
import { AssociationOf, KeyStateBadge } from "./key-state.tsx";
import { KeyUsageSections } from "./key-usage.tsx";
import { OldSecret } from "./old-secret.tsx";

type Doing = "revoke" | "reactivate" | "rotate" | "delete" | "edit";

const KeyFacts = ({ record }: { record: PresentedKey }) => (
  <Facts
    facts={[
      ["Status", <KeyStateBadge key="status" record={record} />],
      ["Begins with", <code key="start">{record.key_start}…</code>],
      ["Association", <AssociationOf key="association" record={record} />],
      ["App type", record.app_type],
      ["App id", record.app_id],
      ["Description", record.description ?? "None"],
      ["Expires", <AgoOr key="expires" at={record.expires_at} otherwise="Never" />],
      [
        "Limit",
        `${record.effective_rate_limit} requests a minute${record.rate_limit === null ? `, as every ${record.app_type} key` : ", set for this key"}`,
      ],
      ["Last use", <AgoOr key="use" at={record.last_used_at} otherwise="Never" />],
      ["Created", <Moment key="created" at={record.created_at} />],
    ]}
  />
);

const KeyView = ({ record }: { record: PresentedKey }) => {
  const may = useMay();
  const [, go] = useLocation();
  const [doing, setDoing] = useState<Doing | null>(null);
  const dialog = { record, onClose: () => setDoing(null) };
  return (
    <Page
      title={record.name}
      actions={
        <>
          {may("keys:write") && (
            <Group gap="xs">
              <Button variant="default" onClick={() => setDoing("edit")}>
                Edit
              </Button>
              <Button variant="default" onClick={() => setDoing("rotate")}>
                Rotate
              </Button>
              {record.active ? (
                <Button color="red" onClick={() => setDoing("revoke")}>
                  Revoke
                </Button>
              ) : (
                <Button onClick={() => setDoing("reactivate")}>Re-activate</Button>
              )}
            </Group>
          )}
          {may("keys:delete") && (
            <Button color="red" variant="outline" onClick={() => setDoing("delete")}>
              Delete
            </Button>
          )}
        </>
      }
    >
      <OldSecret record={record} />
      <Section title="Facts">
        <KeyFacts record={record} />
      </Section>
      <KeyUsageSections id={record.id} />
      <HeldPermissions pairs={record.permissions} />
      {may("audit:read") && <AuditTrail resource="keys" id={record.id} />}
      {doing === "edit" && <EditKey {...dialog} />}
      {doing === "revoke" && <RevokeDialog {...dialog} />}
      {doing === "reactivate" && <ReactivateDialog {...dialog} />}
      {doing === "rotate" && <RotateDialog {...dialog} />}
      {doing === "delete" && <DeleteDialog {...dialog} onDeleted={() => go("/keys")} />}
    </Page>
  );
};

/** Everything about one key. */
export const KeyPage = ({ id }: { id: string }) => {
  const key = useRecord<PresentedKey>(`/keys/${id}`);
  if (key.data !== undefined) return <KeyView record={key.data} />;
  return (
    <Page title="Key">
      <Answered query={key}>{() => null}</Answered>
    </Page>
  );
};
