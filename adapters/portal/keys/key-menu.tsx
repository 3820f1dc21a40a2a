import { useState } from "react";
import type { PresentedKey } from "../../../core/keys/key.ts";
import { useMay } from "../session/session.tsx";
import { RecordMenu } from "../shell/record-menu.tsx";
import { DeleteDialog, ReactivateDialog, RevokeDialog, RotateDialog } from "./key-dialogs.tsx";

type Doing = "revoke" | "reactivate" | "rotate" | "delete";

const DIALOGS = { revoke: RevokeDialog, reactivate: ReactivateDialog, rotate: RotateDialog, delete: DeleteDialog };

/** What can be done with a key in a list. */
export const KeyMenu = ({ record }: { record: PresentedKey }) => {
  const may = useMay();
  const [doing, setDoing] = useState<Doing | null>(null);
  const Asking = doing === null ? null : DIALOGS[doing];
  return (
    <>
      <RecordMenu
        name={record.name}
        items={[
          { label: "Open", to: `/keys/${record.id}` },
          may("keys:write") && { label: "Rotate", onClick: () => setDoing("rotate") },
          may("keys:write") &&
            (record.active
              ? { label: "Revoke", onClick: () => setDoing("revoke") }
              : { label: "Re-activate", onClick: () => setDoing("reactivate") }),
          may("keys:delete") && { label: "Delete", onClick: () => setDoing("delete") },
        ]}
      />
      {Asking !== null && <Asking record={record} onClose={() => setDoing(null)} />}
    </>
  );
};
