import type { Model } from "./model.ts";
import { lottery } from "./random.ts";

/** Draws an exterior color. */
export const drawExteriorColor = lottery<string>([
  ["Oxford White", 9],
  ["Pearl White", 8],
  ["Midnight Black", 9],
  ["Jet Black", 6],
  ["Magnetic Gray", 8],
  ["Graphite", 6],
  ["Silver Sky", 7],
  ["Lunar Silver", 5],
  ["Deep Blue", 5],
  ["Pacific Blue", 4],
  ["Ruby Red", 4],
  ["Crimson", 3],
  ["Forest Green", 2],
  ["Sandstone", 2],
  ["Burnt Orange", 1],
  ["Sunburst Yellow", 1],
]);

/** Draws an interior color. */
export const drawInteriorColor = lottery<string>([
  ["Black", 10],
  ["Ash", 4],
  ["Charcoal", 5],
  ["Gray", 4],
  ["Beige", 3],
  ["Saddle Brown", 2],
  ["Ivory", 1],
  ["Red", 1],
]);

/** Features of nearly every vehicle. */
export const COMMON_FEATURES = [
  ...["Bluetooth", "Backup Camera", "Cruise Control", "Keyless Entry", "Power Windows", "Air Conditioning"],
  ...["USB Ports", "Alloy Wheels", "Steering Wheel Controls", "LED Headlights"],
] as const;

/** Features of middle trims. */
export const MIDDLE_FEATURES = [
  ...["Apple CarPlay", "Android Auto", "Heated Front Seats", "Blind Spot Monitor", "Lane Keep Assist", "Remote Start"],
  ...["Adaptive Cruise Control", "Dual-Zone Climate Control", "Power Driver Seat", "Fog Lights", "Wireless Charging"],
] as const;

/** Features of top trims. */
export const TOP_FEATURES = [
  ...[
    "Leather Seats",
    "Navigation System",
    "Panoramic Sunroof",
    "Ventilated Seats",
    "Premium Audio",
    "Head-Up Display",
  ],
  ...["360-Degree Camera", "Heated Steering Wheel", "Memory Seats", "Ambient Lighting"],
] as const;

/** Features of certain body styles. */
export const BODY_FEATURES: Readonly<Partial<Record<Model["body"], readonly string[]>>> = {
  truck: ["Tow Package", "Bed Liner", "Running Boards", "Trailer Brake Controller", "Tonneau Cover"],
  suv: ["Roof Rails", "Power Liftgate", "All-Weather Mats"],
  largeSuv: ["Third-Row Seating", "Roof Rails", "Tow Package", "Rear Climate Control"],
  minivan: ["Power Sliding Doors", "Third-Row Seating", "Rear Entertainment System"],
  coupe: ["Sport Suspension", "Sport Exhaust"],
};

/** The condition of a vehicle. */
export type Condition = "new" | "used" | "certified";

/** Sentences about a vehicle's history. */
export const HISTORIES: Readonly<Record<Condition, readonly string[]>> = {
  new: [
    "Never registered, with the full factory warranty.",
    "Just arrived from the factory.",
    "In stock and ready for delivery.",
  ],
  used: [
    "One owner, clean history report.",
    "Two owners, all service records on file.",
    "Local trade-in, non-smoker.",
    "Came off a lease with regular maintenance.",
    "Recently serviced, with new tires and brakes.",
    "Light wear for its age, priced accordingly.",
  ],
  certified: [
    "Certified pre-owned with an extended powertrain warranty.",
    "Certified: passed the manufacturer's full inspection.",
    "One owner, certified, with roadside assistance included.",
  ],
};

/** Closing sentences of descriptions. */
export const CLOSINGS = [
  "Call us for a test drive.",
  "Trade-ins welcome.",
  "Financing available.",
  "Ask for the full inspection report.",
  "Delivery within 100 miles at no charge.",
  "Priced to sell this month.",
] as const;
