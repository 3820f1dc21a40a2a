// The pages of channels and webhooks, which are loaded together.
export { ChannelsPage } from "./channels/channels-page.tsx";
export { NewFeedPage } from "./channels/new-feed-page.tsx";
export { FeedPage } from "./feed-problems/feed-page.tsx";
export { NewWebhookPage } from "./webhooks/new-webhook-page.tsx";
export { WebhookPage } from "./webhooks/webhook-page.tsx";
export { WebhooksPage } from "./webhooks/webhooks-page.tsx";
