import type { Engine, Migration } from "./migration.ts";

const TYPES = {
  sqlite: { integer: "INTEGER", text: "TEXT" },
  postgres: { integer: "BIGINT", text: 'TEXT COLLATE "C"' },
} as const satisfies Record<Engine, Record<string, string>>;

/**
 * Whose share a kept answer takes, and how much of it. Answers of a version before have neither: they end within days, and
 * are not counted.
 */
export const keptAnswerShares: Migration = {
  name: "0058-kept-answer-shares",
  statements(engine) {
    const { integer, text } = TYPES[engine];
    return [
      `ALTER TABLE kept_answers ADD COLUMN holder ${text}`,
      `ALTER TABLE kept_answers ADD COLUMN bytes ${integer}`,
    ];
  },
  indexes: () => [{ name: "kept_answers_by_holder", on: "kept_answers (holder, expires_at, bytes)" }],
};
