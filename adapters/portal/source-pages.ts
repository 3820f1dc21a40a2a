// The pages of sources of files, which are loaded together.
export { NewSourcePage } from "./sources/new-source-page.tsx";
export { SourcePage } from "./sources/source-page.tsx";
export { SourcesPage } from "./sources/sources-page.tsx";
