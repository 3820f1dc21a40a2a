import { useBranding } from "../settings/settings.tsx";

const DefaultLogo = () => (
  <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
    <rect width="24" height="24" rx="7" fill="var(--accent)" />
    <path
      d="M5 15.5v-2.2c0-.8.5-1.4 1.2-1.6l1.2-.3 1.5-2.6c.4-.7 1.1-1.1 1.9-1.1h2.6c.7 0 1.4.3 1.8.9l1.8 2.7 1 .3c.6.2 1 .8 1 1.4v2.5z"
      fill="var(--mantine-color-body)"
    />
    <circle cx="8.6" cy="15.6" r="1.9" fill="var(--mantine-color-body)" stroke="var(--accent)" />
    <circle cx="15.6" cy="15.6" r="1.9" fill="var(--mantine-color-body)" stroke="var(--accent)" />
  </svg>
);

/** The installation's logo, or the portal's mark, and the name. */
export const Brand = () => {
  const { name, logo } = useBranding();
  return (
    <span className="brand">
      {logo === null ? <DefaultLogo /> : <img src={logo} alt="" />}
      <span>{name}</span>
    </span>
  );
};
