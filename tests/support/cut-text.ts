import { createHash } from "node:crypto";

/** A text as an entry of the audit log has it. */
export const cutText = (text: string): string => {
  const letters = [...text];
  if (letters.length <= 1000) return text;
  const hash = createHash("sha256").update(text).digest("hex");
  return `${letters.slice(0, 1000).join("")}… (${letters.length} characters, SHA-256 ${hash})`;
};
