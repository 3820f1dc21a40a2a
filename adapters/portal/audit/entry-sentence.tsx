import { Fragment } from "react";
import type { AuditEntry } from "../../../core/audit/audit-entry.ts";
import type { Formats } from "../../../core/audit/field-words.ts";
import { sentenceOf } from "../../../core/audit/sentences.ts";
import { PageLink } from "../page/link.tsx";
import { pageOfRecord } from "./audit-words.ts";

/** An entry of the audit log as a sentence, with links to the records it names. */
export const EntrySentence = ({ entry, formats }: { entry: AuditEntry; formats: Formats }) =>
  sentenceOf(entry, formats).map((part, place) => {
    const page =
      typeof part === "string" || part.record === null ? null : pageOfRecord(part.record.resource, part.record.id);
    const text = typeof part === "string" ? part : part.text;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order
    return <Fragment key={place}>{page === null ? text : <PageLink to={page}>{text}</PageLink>}</Fragment>;
  });
