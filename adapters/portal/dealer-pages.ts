// The pages of one dealer, which are loaded together.
export { DealerPage } from "./dealers/dealer-page.tsx";
export { NewDealerPage } from "./dealers/new-dealer-page.tsx";
