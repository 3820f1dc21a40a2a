/** The file that DealerCenter sends to websites. Case, accents, blanks and signs do not matter. Whoever knows the system mends it here. */
export const DEALERCENTER = {
  name: "DealerCenter",
  headings: {
    dealer_id: ["AccountID"],
    stock_number: ["StockNumber"],
    vin: ["VIN"],
    year: ["Year"],
    make: ["Make"],
    model: ["Model"],
    trim: ["Trim"],
    mileage: ["Odometer"],
    price: ["SpecialPrice"],
    exterior_color: ["ExteriorColor"],
    interior_color: ["InteriorColor"],
    transmission: ["Transmission"],
    images: ["PhotoURLs"],
    description: ["VehicleDescription"],
  },
  unread: ["DCID", "DealerName", "Email", "Phone", "Address", "City", "State", "Zip"],
} as const;
