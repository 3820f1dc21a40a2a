import type { PresentedKey } from "../../../core/keys/key.ts";
import { useRecordDialogs } from "../forms/record-dialogs.tsx";
import { RecordMenu } from "../page/record-menu.tsx";
import { useMay } from "../session/session.tsx";
import { EditKey } from "./edit-key.tsx";
import { DeleteKey, ExtendDialog, ReactivateDialog, RevokeDialog, RotateKey } from "./key-dialogs.tsx";

/** The actions on a key, each with its dialog. */
const DIALOGS = {
  edit: EditKey,
  rotate: RotateKey,
  extend: ExtendDialog,
  revoke: RevokeDialog,
  reactivate: ReactivateDialog,
  delete: DeleteKey,
};

export type KeyAction = keyof typeof DIALOGS;

const LABELS: Readonly<Record<KeyAction, string>> = {
  edit: "Edit",
  rotate: "Rotate",
  extend: "Extend",
  revoke: "Revoke",
  reactivate: "Re-activate",
  delete: "Delete",
};

/** The actions that the signed-in user may take on a key in its state, and the open dialog. */
export const useKeyActions = (record: PresentedKey) => {
  const may = useMay();
  const { open, dialog } = useRecordDialogs(DIALOGS, record);
  const writing: readonly (KeyAction | false)[] = [
    "edit",
    "rotate",
    record.expires_at !== null && "extend",
    record.active ? "revoke" : "reactivate",
  ];
  const actions: readonly (KeyAction | false)[] = [
    ...(may("keys:write") ? writing : []),
    may("keys:delete") && "delete",
  ];
  return {
    actions: actions.filter((action) => action !== false),
    menuItemOf: (action: KeyAction) => ({ label: LABELS[action], onClick: () => open(action) }),
    dialog,
  };
};

/** The menu of a key in a list. */
export const KeyMenu = ({ record }: { record: PresentedKey }) => {
  const { actions, menuItemOf, dialog } = useKeyActions(record);
  return (
    <>
      <RecordMenu
        name={record.name}
        items={[{ label: "Open", to: `/keys/${record.id}` }, ...actions.map(menuItemOf)]}
      />
      {dialog}
    </>
  );
};
