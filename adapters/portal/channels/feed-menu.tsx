import type { Feed } from "../../../core/feeds/feed.ts";
import { useRecordDialogs } from "../forms/record-dialogs.tsx";
import { RecordMenu } from "../page/record-menu.tsx";
import { useMay } from "../session/session.tsx";
import { DeleteFeed, EditFeed, ReleaseFeed, RotateFeed, TakeOverFeed } from "./feed-dialogs.tsx";
import { useMayMakeFeeds } from "./feed-state.tsx";

/** The actions on a feed, each with its dialog. */
const DIALOGS = {
  edit: EditFeed,
  rotate: RotateFeed,
  takeOver: TakeOverFeed,
  release: ReleaseFeed,
  delete: DeleteFeed,
};

export type FeedAction = keyof typeof DIALOGS;

const LABELS: Readonly<Record<FeedAction, string>> = {
  edit: "Edit",
  rotate: "Rotate address…",
  takeOver: "Take over…",
  release: "Release…",
  delete: "Delete…",
};

/** The actions that the signed-in user may take on a feed in its state, and the open dialog. */
export const useFeedActions = (record: Feed) => {
  const may = useMay();
  const { open, dialog } = useRecordDialogs(DIALOGS, record);
  const mayMake = useMayMakeFeeds();
  const actions: readonly (FeedAction | false)[] = [
    mayMake && "edit",
    mayMake && "rotate",
    mayMake && record.stopped === "not_readable" && "takeOver",
    may("feeds:write") && record.held !== null && "release",
    may("feeds:delete") && "delete",
  ];
  return {
    actions: actions.filter((action) => action !== false),
    open: open,
    menuItemOf: (action: FeedAction) => ({ label: LABELS[action], onClick: () => open(action) }),
    dialog,
  };
};

/** The menu of a feed in a list. */
export const FeedMenu = ({ record }: { record: Feed }) => {
  const { actions, menuItemOf, dialog } = useFeedActions(record);
  return (
    <>
      <RecordMenu
        name={record.name}
        items={[{ label: "Open", to: `/channels/${record.id}` }, ...actions.map(menuItemOf)]}
      />
      {dialog}
    </>
  );
};
