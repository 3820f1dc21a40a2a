import { Link, useLocation } from "wouter";
import { ROLE_LABELS } from "../api/responses.ts";
import { SignOut } from "../entry/sign-out.tsx";
import { Brand } from "../page/brand.tsx";
import { Initials } from "../page/initials.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { useTimeZone } from "../times/times.tsx";
import { firstDealerOf } from "../today/first-dealer.ts";
import { useOnlyOwnWalk, WalkBeforeSignOut } from "../walk/own-walk.tsx";
import { walkOwner } from "../walk/walk-owner.ts";
import { ColorSchemeSwitch } from "./color-scheme.tsx";
import { isWithin, type NavSection, sectionGroups } from "./sections.ts";

/** The sections that the signed-in user may see, in groups; empty groups are left out. */
export const useSectionGroups = () => {
  const may = useMay();
  const { user } = useSession();
  const isSuperAdmin = user.role === "super_admin";
  return sectionGroups(firstDealerOf(user) !== null)
    .map(({ heading, sections }) => ({
      heading,
      sections: sections.filter(({ needs, superAdminsOnly }) => may(needs) && (isSuperAdmin || !superAdminsOnly)),
    }))
    .filter(({ sections }) => sections.length > 0);
};

/** A link to a section, marked while one of its pages is open. */
export const SectionLink = ({ section }: { section: NavSection }) => {
  const [path] = useLocation();
  const { to, label, icon: Icon } = section;
  return (
    <Link href={to} className="section-link" {...(isWithin(section, path) && { "aria-current": "page" as const })}>
      <Icon size={18} stroke={1.7} aria-hidden />
      {label}
    </Link>
  );
};

/** The link to the signed-in user's account, marked while it is open. */
const AccountLink = () => {
  const [path] = useLocation();
  return (
    <Link href="/account" className="person-action" {...(path === "/account" && { "aria-current": "page" as const })}>
      Account
    </Link>
  );
};

/** The signed-in user, with links to account and sign-out, the colour scheme, and the time zone of all times. */
export const SignedInUser = () => {
  const { user, dealer } = useSession();
  useOnlyOwnWalk(user.id);
  return (
    <div className="person">
      <div className="person-name">
        <Initials of={user.name} />
        <span className="signed-in">
          {user.name}
          <small>{dealer?.name ?? ROLE_LABELS[user.role]}</small>
        </span>
      </div>
      <div className="person-actions">
        <AccountLink />
        <SignOut Before={walkOwner() === null ? null : WalkBeforeSignOut} />
        <ColorSchemeSwitch />
      </div>
      <small className="time-zone">Times are in {useTimeZone()}.</small>
    </div>
  );
};

/** The navigation at the left of every page on wide windows. */
export const Rail = () => (
  <nav className="rail" aria-label="Sections">
    <Brand />
    <div className="rail-sections">
      {useSectionGroups().map(({ heading, sections }) => (
        <div key={heading} className="rail-group">
          {heading !== null && <p className="rail-heading">{heading}</p>}
          {sections.map((section) => (
            <SectionLink key={section.to} section={section} />
          ))}
        </div>
      ))}
    </div>
    <SignedInUser />
  </nav>
);
