// The first page of a user.
export { OverviewPage } from "./overview/overview-page.tsx";
