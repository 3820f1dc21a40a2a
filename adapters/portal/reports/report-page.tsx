import { Page } from "../page/page.tsx";
import { ReportView } from "./report-view.tsx";

/** What all visible dealers added and sold, and what is on their lots. */
export const ReportPage = () => (
  <Page
    title="Report"
    breadcrumbs={[["Vehicles", "/vehicles"]]}
    subtitle="All dealers in reach; days are counted in UTC"
  >
    <ReportView path="/report" />
  </Page>
);
