import { type ComponentType, useState } from "react";
import type { Feed } from "../../../core/feeds/feed.ts";
import { useMay } from "../session/session.tsx";
import { RecordMenu } from "../shell/record-menu.tsx";
import { DeleteFeed, EditFeed, type FeedDialogProps, ReleaseFeed, RotateFeed } from "./feed-dialogs.tsx";

/** What can be done with a feed: its name, and the dialog that does it. */
const DEEDS = {
  edit: { label: "Edit", dialog: EditFeed },
  rotate: { label: "Rotate address…", dialog: RotateFeed },
  release: { label: "Release…", dialog: ReleaseFeed },
  delete: { label: "Delete…", dialog: DeleteFeed },
} satisfies Readonly<Record<string, { label: string; dialog: ComponentType<FeedDialogProps> }>>;

export type FeedDeed = keyof typeof DEEDS;

/** What the signed-in user may do with a feed as it is, and the dialog that is open. */
export const useFeedDeeds = (record: Feed) => {
  const may = useMay();
  const [doing, setDoing] = useState<FeedDeed | null>(null);
  const Asking = doing === null ? null : DEEDS[doing].dialog;
  const writing: readonly (FeedDeed | false)[] = ["edit", "rotate", record.held !== null && "release"];
  const deeds: readonly (FeedDeed | false)[] = [
    ...(may("feeds:write") ? writing : []),
    may("feeds:delete") && "delete",
  ];
  return {
    deeds: deeds.filter((deed) => deed !== false),
    begin: setDoing,
    itemOf: (deed: FeedDeed) => ({ label: DEEDS[deed].label, onClick: () => setDoing(deed) }),
    dialog: Asking !== null && <Asking record={record} onClose={() => setDoing(null)} />,
  };
};

/** What can be done with a feed in a list. */
export const FeedMenu = ({ record }: { record: Feed }) => {
  const { deeds, itemOf, dialog } = useFeedDeeds(record);
  return (
    <>
      <RecordMenu name={record.name} items={[{ label: "Open", to: `/channels/${record.id}` }, ...deeds.map(itemOf)]} />
      {dialog}
    </>
  );
};
