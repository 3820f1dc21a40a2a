import { useMutation } from "@tanstack/react-query";
import type { Webhook } from "../../../core/webhooks/webhook.ts";
import { change } from "../api/client.ts";
import { useRecordDialogs } from "../forms/record-dialogs.tsx";
import { notify, notifyFailure } from "../page/notify.tsx";
import { type MenuItem, RecordMenu } from "../page/record-menu.tsx";
import { useMay } from "../session/session.tsx";
import { DeleteWebhook, EditWebhook, RecoverWebhook, RotateWebhook } from "./webhook-dialogs.tsx";
import { useMayMakeWebhooks } from "./webhook-state.tsx";
import { nameOf, pathOf } from "./webhook-words.ts";

const DIALOGS = { edit: EditWebhook, rotate: RotateWebhook, recover: RecoverWebhook, delete: DeleteWebhook };

/** Switches a webhook on, which also forgets that it failed, or off. */
const useSwitch = (record: Webhook) =>
  useMutation({
    mutationFn: () =>
      record.active
        ? change<Webhook>("PUT", pathOf(record), { active: false })
        : change<Webhook>("POST", `${pathOf(record)}/enable`),
    onSuccess: (webhook) => notify(`${nameOf(webhook)} is switched ${webhook.active ? "on" : "off"}.`),
    onError: (error) => notifyFailure(error),
  });

/** The actions that the signed-in user may take on a webhook, and the open dialog. */
export const useWebhookActions = (record: Webhook) => {
  const may = useMay();
  const mayMake = useMayMakeWebhooks();
  const { open, dialog } = useRecordDialogs(DIALOGS, record);
  const switching = useSwitch(record);
  const rare: readonly (MenuItem | false)[] = [
    mayMake && { label: "Send what was missed…", onClick: () => open("recover") },
    mayMake && { label: record.active ? "Switch off" : "Switch on", onClick: () => switching.mutate() },
    may("webhooks:delete") && { label: "Delete…", onClick: () => open("delete") },
  ];
  return { rare, switching, open, dialog };
};

/** The menu of a webhook in a list. */
export const WebhookMenu = ({ record }: { record: Webhook }) => {
  const { rare, open, dialog } = useWebhookActions(record);
  const mayMake = useMayMakeWebhooks();
  return (
    <>
      <RecordMenu
        name={nameOf(record)}
        items={[
          { label: "Open", to: `/webhooks/${record.id}` },
          mayMake && { label: "Edit", onClick: () => open("edit") },
          mayMake && { label: "Rotate secret…", onClick: () => open("rotate") },
          ...rare,
        ]}
      />
      {dialog}
    </>
  );
};
