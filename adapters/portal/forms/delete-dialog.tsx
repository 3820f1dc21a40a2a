import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { deleteRecord } from "../api/client.ts";
import { notify } from "../page/notify.tsx";
import { ConfirmDialog } from "./dialog.tsx";

interface DeleteDialogProps {
  /** The record's name for people. */
  readonly name: string;
  /** The question; it names the record by default. */
  readonly title?: string;
  /** The record's path in the service. */
  readonly path: string;
  /** The record's page, one level below the list's page. */
  readonly page: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before a record is deleted for good. Then leaves its page for the list; any other page stays. */
export const DeleteDialog = ({ name, title = `Delete ${name}?`, path, page, onClose, children }: DeleteDialogProps) => {
  const [here, go] = useLocation();
  return (
    <ConfirmDialog
      title={title}
      confirm="Delete"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await deleteRecord(path);
        notify(`${name} is deleted.`);
        if (here === page) go(page.slice(0, page.lastIndexOf("/")));
      }}
    >
      {children}
    </ConfirmDialog>
  );
};
