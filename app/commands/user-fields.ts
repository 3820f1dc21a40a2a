import { newUser, roleIssues } from "../../core/users/user.ts";
import { fieldsOf, type RecordOptions } from "./options.ts";
import { resultOf } from "./outcome.ts";

/** The fields of a new user. They are checked first, so that no database is created for invalid fields. */
export const newUserOf = (options: RecordOptions): Record<string, unknown> => {
  const fields = fieldsOf(options);
  resultOf(newUser.parse(fields, ({ role, dealer_id }) => roleIssues(role, dealer_id)));
  return fields;
};
