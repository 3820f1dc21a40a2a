import { Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useTabName } from "../settings/settings.tsx";

export interface PageProps {
  readonly title: string;
  /** The pages above this one, as `["Dealers", "/dealers"]`, the outermost first. */
  readonly trail?: readonly (readonly [name: string, to: string])[];
  /** A state beside the title. */
  readonly state?: ReactNode;
  /** One line below the title: figures of a list, or what identifies a record. */
  readonly line?: ReactNode;
  /** Actions beside the title; only the main one is filled. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

let isFirst = true;

const Trail = ({ trail, title }: { trail: NonNullable<PageProps["trail"]>; title: string }) => (
  <nav aria-label="Breadcrumbs">
    <ol className="trail">
      {trail.map(([name, to]) => (
        <li key={to}>
          {/* Named apart from the section's link with the same word. */}
          <Link href={to} aria-label={`Back to ${name}`}>
            {name}
          </Link>
        </li>
      ))}
      <li aria-current="page">{title}</li>
    </ol>
  </nav>
);

/** A page with its title as document title and heading; after navigation the heading has the focus. */
export const Page = ({ title, trail, state, line, actions, children }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const [path] = useLocation();
  useTabName(title);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each path, not for each title
  useEffect(() => {
    // On the first page the browser places the focus.
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, [path]);
  return (
    <div className="page">
      <div className="page-head">
        <div className="page-name">
          {trail !== undefined && <Trail trail={trail} title={title} />}
          <div className="title-with-state">
            <Title order={1} ref={heading} tabIndex={-1} className="page-title">
              {title}
            </Title>
            {state}
          </div>
          {line !== undefined && line !== false && <p className="page-line">{line}</p>}
        </div>
        {actions !== undefined && actions !== false && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
};
