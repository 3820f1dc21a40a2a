// The pages of the user's account and of the installation, which are loaded together.
export { AccountPage } from "./account/account-page.tsx";
export { SecondFactorSection } from "./account/second-factor.tsx";
export { SettingsPage } from "./installation/settings-page.tsx";
