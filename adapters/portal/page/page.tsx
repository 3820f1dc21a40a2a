import { Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useDocumentTitle } from "../settings/settings.tsx";

export interface PageProps {
  readonly title: string;
  /** The pages above this one, as `["Dealers", "/dealers"]`, the outermost first. */
  readonly breadcrumbs?: readonly (readonly [name: string, to: string])[];
  /** A state beside the title. */
  readonly state?: ReactNode;
  /** One line below the title: the number of records, or what identifies a record. */
  readonly subtitle?: ReactNode;
  /** Actions beside the title; only the main one is filled. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

let isFirstPage = true;

const Breadcrumbs = ({ pages, title }: { pages: NonNullable<PageProps["breadcrumbs"]>; title: string }) => (
  <nav aria-label="Breadcrumbs">
    <ol className="breadcrumbs">
      {pages.map(([name, to]) => (
        <li key={to}>
          {/* The link to the section has the same text, so this one gets another name. */}
          <Link href={to} aria-label={`Back to ${name}`}>
            {name}
          </Link>
        </li>
      ))}
      <li aria-current="page">{title}</li>
    </ol>
  </nav>
);

/** A page with its title as document title and heading. After navigation the heading gets the focus. */
export const Page = ({ title, breadcrumbs, state, subtitle, actions, children }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const [path] = useLocation();
  useDocumentTitle(title);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each path, not for each title
  useEffect(() => {
    // After loading the portal, the browser places the focus.
    if (!isFirstPage) heading.current?.focus();
    isFirstPage = false;
  }, [path]);
  return (
    <div className="page">
      <div className="page-head">
        <div className="page-name">
          {breadcrumbs !== undefined && <Breadcrumbs pages={breadcrumbs} title={title} />}
          <div className="title-with-state">
            <Title order={1} ref={heading} tabIndex={-1} className="page-title">
              {title}
            </Title>
            {state}
          </div>
          {subtitle !== undefined && subtitle !== false && <p className="page-subtitle">{subtitle}</p>}
        </div>
        {actions !== undefined && actions !== false && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
};
