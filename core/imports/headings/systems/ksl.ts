/** The file that dealers send to KSL Cars. Case, accents, blanks and signs do not matter. Whoever knows the system mends it here. */
export const KSL = {
  name: "KSL Cars",
  headings: {
    stock_number: ["StockNumber"],
    vin: ["VIN"],
    year: ["Year"],
    make: ["Make"],
    model: ["Model"],
    trim: ["Trim"],
    mileage: ["Mileage"],
    price: ["Price"],
    exterior_color: ["Color"],
    description: ["Description"],
    images: ["PhotoURL1", "PhotoURL2", "PhotoURL3"],
  },
  unread: ["DealerName", "DealerPhone", "DealerAddress"],
} as const;
