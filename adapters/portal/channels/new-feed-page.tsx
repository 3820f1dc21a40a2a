import { change } from "../api/client.ts";
import { useDraft } from "../forms/draft.ts";
import { NewRecordPage } from "../forms/new-record-page.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { useUnits } from "../settings/settings.tsx";
import { AddressDialog, type FeedWithUrl } from "./feed-dialogs.tsx";
import { bodyOfFeed, emptyFeed, issuesOfFeed } from "./feed-draft.ts";
import { FeedFields } from "./feed-fields.tsx";

/** Creates a feed, and shows its address once. */
export const NewFeedPage = () => {
  const draft = useDraft(emptyFeed(bindingOf(useSession().user), useUnits()));
  const create = (): Promise<FeedWithUrl> => {
    throwIfIssues(issuesOfFeed(draft.values));
    return change<FeedWithUrl>("POST", "/feeds", bodyOfFeed(draft.values));
  };
  return (
    <NewRecordPage
      title="Create a feed"
      breadcrumbs={[["Channels", "/channels"]]}
      submit="Create the feed"
      draft={draft}
      create={create}
      pageOf={({ id }) => `/channels/${id}`}
      showOnce={(feedWithUrl, onClose) => <AddressDialog feedWithUrl={feedWithUrl} onClose={onClose} />}
    >
      <FeedFields draft={draft} />
    </NewRecordPage>
  );
};
