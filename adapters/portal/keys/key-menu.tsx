import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { Link } from "wouter";
import type { PresentedKey } from "../../../core/keys/key.ts";
import { useMay } from "../session/session.tsx";
import { DeleteDialog, ReactivateDialog, RevokeDialog, RotateDialog } from "./key-dialogs.tsx";

type Doing = "revoke" | "reactivate" | "rotate" | "delete";

const DIALOGS = { revoke: RevokeDialog, reactivate: ReactivateDialog, rotate: RotateDialog, delete: DeleteDialog };

/** What can be done with a key in a list. */
export const KeyMenu = ({ record }: { record: PresentedKey }) => {
  const may = useMay();
  const [doing, setDoing] = useState<Doing | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  // The chosen line of the menu is gone by then.
  const close = (): void => {
    setDoing(null);
    button.current?.focus();
  };
  const Asking = doing === null ? null : DIALOGS[doing];
  return (
    <>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon ref={button} variant="subtle" color="gray" aria-label={`Actions for ${record.name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} href={`/keys/${record.id}`}>
            Open
          </Menu.Item>
          {may("keys:write") && <Menu.Item onClick={() => setDoing("rotate")}>Rotate</Menu.Item>}
          {may("keys:write") &&
            (record.active ? (
              <Menu.Item onClick={() => setDoing("revoke")}>Revoke</Menu.Item>
            ) : (
              <Menu.Item onClick={() => setDoing("reactivate")}>Re-activate</Menu.Item>
            ))}
          {may("keys:delete") && <Menu.Item onClick={() => setDoing("delete")}>Delete</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {Asking !== null && <Asking record={record} onClose={close} />}
    </>
  );
};
