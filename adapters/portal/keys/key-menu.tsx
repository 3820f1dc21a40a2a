import { type ComponentType, useState } from "react";
import type { PresentedKey } from "../../../core/keys/key.ts";
import { useMay } from "../session/session.tsx";
import { RecordMenu } from "../shell/record-menu.tsx";
import { EditKey } from "./edit-key.tsx";
import {
  DeleteDialog,
  ExtendDialog,
  type KeyDialogProps,
  ReactivateDialog,
  RevokeDialog,
  RotateDialog,
} from "./key-dialogs.tsx";

/** What can be done with a key: its name, and the dialog that does it. */
const DEEDS = {
  edit: { label: "Edit", dialog: EditKey },
  rotate: { label: "Rotate", dialog: RotateDialog },
  extend: { label: "Extend", dialog: ExtendDialog },
  revoke: { label: "Revoke", dialog: RevokeDialog },
  reactivate: { label: "Re-activate", dialog: ReactivateDialog },
  delete: { label: "Delete", dialog: DeleteDialog },
} satisfies Readonly<Record<string, { label: string; dialog: ComponentType<KeyDialogProps> }>>;

export type Deed = keyof typeof DEEDS;

/** What the signed-in user may do with a key as it is, and the dialog that is open. */
export const useDeeds = (record: PresentedKey) => {
  const may = useMay();
  const [doing, setDoing] = useState<Deed | null>(null);
  const Asking = doing === null ? null : DEEDS[doing].dialog;
  const writing: readonly (Deed | false)[] = [
    "edit",
    "rotate",
    record.expires_at !== null && "extend",
    record.active ? "revoke" : "reactivate",
  ];
  const deeds: readonly (Deed | false)[] = [...(may("keys:write") ? writing : []), may("keys:delete") && "delete"];
  return {
    deeds: deeds.filter((deed) => deed !== false),
    itemOf: (deed: Deed) => ({ label: DEEDS[deed].label, onClick: () => setDoing(deed) }),
    dialog: Asking !== null && <Asking record={record} onClose={() => setDoing(null)} />,
  };
};

/** What can be done with a key in a list. */
export const KeyMenu = ({ record }: { record: PresentedKey }) => {
  const { deeds, itemOf, dialog } = useDeeds(record);
  return (
    <>
      <RecordMenu name={record.name} items={[{ label: "Open", to: `/keys/${record.id}` }, ...deeds.map(itemOf)]} />
      {dialog}
    </>
  );
};
