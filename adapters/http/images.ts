import Type from "typebox";
import { Failure } from "../../core/failure.ts";
import { IMAGE_READ_ONLY, ImageChanges, ImageOrder, ImageQuery, NewImage } from "../../core/images/image.ts";
import type { Images } from "../../core/images/images.ts";
import { pageOf } from "../../core/page.ts";
import { DoneAnswer, ImageAnswer } from "./answers.ts";
import { listHeaders } from "./links.ts";
import { arrayBody } from "./long-json.ts";
import { ById, ByImage } from "./paths.ts";
import { pathOf } from "./request-path.ts";
import { created, done, ok, type Route, route } from "./route.ts";

/** Routes of a vehicle's images (specification 4.1). */
export const imageRoutes = (images: Images): Route[] => [
  route({
    operation: "image.list",
    method: "GET",
    path: "/api/vehicles/:id/images",
    summary: "List a vehicle's images",
    description: "By display order, then id.",
    params: ById,
    query: ImageQuery,
    answer: { status: 200, schema: Type.Array(ImageAnswer), description: "The images" },
    traits: ["list"],
    async handle({ principal, params, query, search, url }) {
      const listing = await images.list(principal, params.id, query);
      return listing instanceof Failure
        ? listing
        : ok(arrayBody(listing), { headers: listHeaders(pathOf(url), search, pageOf(query), listing.total) });
    },
  }),
  route({
    operation: "image.add",
    method: "POST",
    path: "/api/vehicles/:id/images",
    summary: "Add an image to a vehicle",
    description: "A new primary image unsets the one before.",
    params: ById,
    body: { schema: NewImage, readOnly: IMAGE_READ_ONLY },
    answer: { status: 201, schema: ImageAnswer, description: "The created image" },
    async handle({ principal, params, body }) {
      const image = await images.add(principal, params.id, body);
      return image instanceof Failure ? image : created(image, `/api/vehicles/${params.id}/images/${image.id}`);
    },
  }),
  route({
    operation: "image.reorder",
    method: "PUT",
    path: "/api/vehicles/:id/images",
    summary: "Order a vehicle's images",
    params: ById,
    body: { schema: ImageOrder, readOnly: [] },
    answer: { status: 200, schema: Type.Array(ImageAnswer), description: "The images in their new order" },
    async handle({ principal, params, body }) {
      const ordered = await images.reorder(principal, params.id, body);
      return ordered instanceof Failure ? ordered : ok(ordered);
    },
  }),
  route({
    operation: "image.update",
    method: "PUT",
    path: "/api/vehicles/:id/images/:image_id",
    summary: "Change fields of an image",
    params: ByImage,
    body: { schema: ImageChanges, readOnly: IMAGE_READ_ONLY },
    answer: { status: 200, schema: ImageAnswer, description: "The whole updated image" },
    async handle({ principal, params, body }) {
      const image = await images.update(principal, params.id, params.image_id, body);
      return image instanceof Failure ? image : ok(image);
    },
  }),
  route({
    operation: "image.remove",
    method: "DELETE",
    path: "/api/vehicles/:id/images/:image_id",
    summary: "Remove an image",
    description: "When the primary image goes, the first of the rest becomes primary.",
    params: ByImage,
    answer: { status: 200, schema: DoneAnswer, description: "Removed" },
    async handle({ principal, params }) {
      const removed = await images.remove(principal, params.id, params.image_id);
      return removed instanceof Failure ? removed : done(`Image ${params.image_id} deleted`);
    },
  }),
];
