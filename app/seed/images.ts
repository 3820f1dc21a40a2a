import { slugOf } from "./slug.ts";
import type { SeedVehicle } from "./vehicles.ts";

const VIEWS = ["front", "side", "rear", "interior", "dashboard", "wheels"] as const;

/** The addresses of a vehicle's images, if no photos are held here. The primary one comes first. No image exists there. */
export const imageUrlsOf = ({ fields, images }: SeedVehicle): string[] => {
  const folder = `https://images.example.com/${slugOf(fields.make)}/${slugOf(fields.model)}`;
  return VIEWS.slice(0, images).map((view) => `${folder}/${view}.jpg`);
};
