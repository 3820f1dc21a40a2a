// The first pages of users.
export { OverviewPage } from "./overview/overview-page.tsx";
export { TodayPage } from "./today/today-page.tsx";
