/** A feed for Google vehicle ads. Case, accents, blanks and signs do not matter. Whoever knows the system mends it here. */
export const GOOGLE_ADS = {
  name: "Google vehicle ads",
  headings: {
    vin: ["VIN"],
    dealer_id: ["store_code"],
    make: ["make"],
    model: ["model"],
    trim: ["trim"],
    year: ["year"],
    mileage: ["mileage"],
    msrp: ["vehicle_msrp"],
    price: ["price"],
    condition: ["condition"],
    certified: ["certified_pre-owned"],
    engine: ["engine"],
    body_style: ["body_style"],
    exterior_color: ["color"],
    images: ["image_link"],
    date_first_registered: ["date_first_registered"],
  },
  unread: ["link_template", "vehicle_option", "vehicle_fulfillment"],
} as const;
