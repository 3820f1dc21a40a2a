import { FeedPage as PageOfFeed } from "../channels/feed-page.tsx";
import { Problems } from "./problems.tsx";

/** The page of one feed, with what keeps vehicles out of it by problem. */
export const FeedPage = ({ id }: { id: string }) => <PageOfFeed id={id} Problems={Problems} />;
