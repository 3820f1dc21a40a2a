// The pages of keys, which are loaded together.
export { KeyPage } from "./keys/key-page.tsx";
export { KeysPage } from "./keys/keys-page.tsx";
export { NewKeyPage } from "./keys/new-key-page.tsx";
