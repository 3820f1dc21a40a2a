const cleaned = (value: unknown, secrets: readonly string[]): unknown => {
  if (Array.isArray(value)) return value.map((item) => cleaned(item, secrets));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    secrets.includes(name) ? null : cleaned(field, secrets),
  ]);
  return {
    ...Object.fromEntries(fields),
    ...(secrets.some((name) => name in value) && { secret_shown_before: true }),
  };
};

/** A body whose secret fields are `null`, and which says that they were shown before. */
export const withoutSecrets = (body: unknown, secrets: readonly string[]): unknown => cleaned(body, secrets);
