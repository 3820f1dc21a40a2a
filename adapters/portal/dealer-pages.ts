// The pages of dealers, which are loaded together.
export { DealerPage } from "./dealers/dealer-page.tsx";
export { DealersPage } from "./dealers/dealers-page.tsx";
export { NewDealerPage } from "./dealers/new-dealer-page.tsx";
