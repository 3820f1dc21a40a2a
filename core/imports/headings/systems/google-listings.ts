/** A feed for Google vehicle listings. Case, accents, blanks and signs do not matter. Whoever knows the system mends it here. */
export const GOOGLE_LISTINGS = {
  name: "Google vehicle listings",
  headings: {
    dealer_id: ["store_code"],
    vin: ["vin"],
    year: ["year"],
    make: ["make"],
    model: ["model"],
    trim: ["trim"],
    mileage: ["mileage"],
    condition: ["condition"],
    price: ["price"],
    msrp: ["vehicle_msrp"],
    images: ["image_link", "additional_image_link"],
    listed_at: ["date_in_stock"],
    certified: ["certified_pre_owned"],
  },
  unread: ["dealership_name", "dealership_address", "place_id", "maps_url", "tracking_phone_number", "link"],
} as const;
