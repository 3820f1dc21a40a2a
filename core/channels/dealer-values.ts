import { googleCodeOf } from "../dealers/codes.ts";
import type { FeedEntry, Value } from "./channel.ts";
import type { Finding } from "./issue.ts";
import { nullIfEmpty, plainLine, singleLine } from "./texts.ts";

/** The dealer's store code: that of the feed, or else that of the dealer's codes; `undefined` if there is none. */
export const storeCodeOf = ({ settings, dealer }: FeedEntry): string | undefined => {
  const { store_codes: codes } = settings;
  const code = Object.hasOwn(codes, dealer.id) ? codes[dealer.id] : undefined;
  return code === undefined || code === "" ? googleCodeOf(dealer.codes) : code;
};

const missingStoreCode = ({
  channel,
  dealer,
}: FeedEntry): Pick<Finding, "rule" | "field" | "message" | "evidence"> => ({
  rule: "store_code_missing",
  field: "store_codes",
  message: `${channel.reader} knows dealers by a store code; the feed has none for ${dealer.name}.`,
  evidence: String(dealer.id),
});

/** The dealer's store code. Upper and lower case are kept. */
export const STORE_CODE: Value = {
  field: "store_codes",
  write(source, severity, report) {
    const code = storeCodeOf(source);
    if (code === undefined) report({ ...missingStoreCode(source), severity });
    return code ?? null;
  },
};

/** Says that the vehicle is sold at its dealer's store. */
export const IN_STORE: Value = {
  field: "store_codes",
  write(source, severity, report) {
    const code = storeCodeOf(source);
    if (code === undefined) report({ ...missingStoreCode(source), severity });
    return code === undefined ? null : `in_store:${code}`;
  },
};

/** The dealer's name. */
export const DEALER_NAME: Value = { field: "dealer_id", write: ({ dealer }) => nullIfEmpty(plainLine(dealer.name)) };

/** The dealer's address in one line: street, city, state with ZIP code, country. */
export const DEALER_ADDRESS: Value = {
  field: "dealer_id",
  write: ({ dealer, settings }) =>
    [dealer.address, dealer.city, `${dealer.state} ${dealer.zip}`, settings.country]
      .map((part) => singleLine(part))
      .filter((part) => part !== "")
      .join(", "),
};

/** The dealer's telephone number. */
export const DEALER_PHONE: Value = { field: "dealer_id", write: ({ dealer }) => nullIfEmpty(singleLine(dealer.phone)) };
