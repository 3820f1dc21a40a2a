// What is seldom opened of vehicles, loaded together.
export { RecentChangesPage } from "./recent-changes/recent-changes-page.tsx";
export { ReportPage } from "./reports/report-page.tsx";
export { ScheduledChangesPage } from "./scheduled-changes/scheduled-changes-page.tsx";
export { SheetPage } from "./sheet/sheet-page.tsx";
export { NewVehicleOfAnyPage, NewVehiclePage } from "./vehicles/new-vehicle-page.tsx";
export { RemovedPage } from "./vehicles/removed-page.tsx";
