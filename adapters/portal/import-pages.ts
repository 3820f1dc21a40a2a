// The pages of imports, which are loaded together.
export { ImportPage } from "./imports/import-page.tsx";
export { ImportsPage } from "./imports/imports-page.tsx";
export { NewImportPage } from "./imports/new-import-page.tsx";
