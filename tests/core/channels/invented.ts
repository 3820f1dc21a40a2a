import type { FeedSettings, FeedVehicle } from "../../../core/channels/channel.ts";
import { UNSET_VEHICLE, type Vehicle } from "../../../core/vehicles/vehicle.ts";

/** Settings of a feed that every channel is content with. */
export const SETTINGS: FeedSettings = {
  link_template: "https://harbor.example.com/cars/{stock_number}",
  currency: "USD",
  country: "US",
  store_codes: { 3: "Harbor-01" },
  mileage_unit: "mi",
  price_type: null,
  filters: {},
};

const DEALER: FeedVehicle["dealer"] = {
  id: 3,
  name: "Harbor Motors",
  address: "12 Quay Street",
  city: "Portland",
  state: "OR",
  zip: "97201",
  codes: [],
  phone: "503-555-0142",
};

/** A vehicle that every channel takes, with these changes. */
export const feedVehicle = (
  changes: Partial<Vehicle> = {},
  images: readonly string[] = [1, 2, 3, 4, 5].map((place) => `https://images.example.com/${place}.jpg`),
): FeedVehicle => ({
  vehicle: {
    ...UNSET_VEHICLE,
    id: 7,
    dealer_id: 3,
    make: "Honda",
    model: "Accord",
    year: 1991,
    price: 10_499,
    title: "1991 Honda Accord",
    trim: "EX",
    mileage: 2333,
    vin: "1HGBH41JXMN109186",
    stock_number: "A-1042",
    description: "One owner, always garaged, with all of its papers.",
    exterior_color: "Black",
    body_style: "Sedan",
    condition: "Used",
    listed_at: "2026-03-31T23:59:59.000Z",
    created_at: "2026-03-30T08:00:00.000Z",
    updated_at: "2026-04-01T08:00:00.000Z",
    ...changes,
  },
  images,
  dealer: DEALER,
});
