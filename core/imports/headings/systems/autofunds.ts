/** The file that AutoFunds sends to websites. Case, accents, blanks and signs do not matter. Whoever knows the system mends it here. */
export const AUTOFUNDS = {
  name: "AutoFunds",
  headings: {
    dealer_id: ["DealerID"],
    stock_number: ["StockNumber"],
    vin: ["VIN"],
    year: ["Year"],
    make: ["Make"],
    model: ["Model"],
    trim: ["Trim"],
    condition: ["Condition"],
    price: ["InternetSpecial"],
    mileage: ["Mileage"],
    images: ["PhotoUrls"],
  },
  unread: [],
} as const;
