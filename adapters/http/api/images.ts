import Type from "typebox";
import { Failure } from "../../../core/failure.ts";
import { IMAGE_READ_ONLY, ImageOrder, ImageQuery, NewImage } from "../../../core/images/image.ts";
import type { Images } from "../../../core/images/images.ts";
import { pageOf } from "../../../core/page.ts";
import { ImageUpdate, isTurn, PHOTO_FIELDS } from "../../../core/photos/photo-input.ts";
import { type Photos, ReceivedPhoto, TurnedPhoto } from "../../../core/photos/photos.ts";
import { listHeaders } from "../protocol/links.ts";
import { arrayBody } from "../protocol/long-body.ts";
import { PHOTO_BODY_TYPES } from "../protocol/photo-body.ts";
import { pathOf } from "../protocol/request-path.ts";
import { created, ok, type Route, route } from "../protocol/route.ts";
import { DoneAnswer, recordId } from "./answers.ts";
import { ImageAnswer } from "./image-answer.ts";
import { VehicleParams } from "./vehicles.ts";

/** The path parameters of one image of a vehicle. */
const ImageParams = Type.Object({ ...VehicleParams.properties, image_id: recordId("image") });

/** Routes of a vehicle's images (interface 6.2). */
export const imageRoutes = (images: Images, photos: Photos): Route[] => [
  route({
    operation: "image.list",
    name: "listImages",
    method: "GET",
    path: "/api/vehicles/:id/images",
    summary: "List a vehicle's images",
    description: "Ordered by display order, then by id.",
    params: VehicleParams,
    query: ImageQuery,
    answer: { status: 200, schema: Type.Array(ImageAnswer), description: "The images" },
    traits: ["list"],
    errors: ["not_found", "not_your_dealer"],
    async handle({ principal, params, query, search, url }) {
      const listing = await images.list(principal, params.id, query);
      return listing instanceof Failure
        ? listing
        : ok(arrayBody(listing), {
            headers: listHeaders({ path: pathOf(url), search, page: pageOf(query), total: listing.total }),
          });
    },
  }),
  route({
    operation: "image.add",
    name: "addImage",
    method: "POST",
    path: "/api/vehicles/:id/images",
    summary: "Add an image to a vehicle",
    description:
      "If the new image is primary, the previous primary image no longer is. If the vehicle has an image with this `image_url` already, that image gets the `is_primary`, `display_order` and `alt` that were sent, and is answered with 200. A photo may be sent instead of JSON: as the body, or as the part `file` of a form with the other fields beside it. The service holds it and delivers it in four variants. The same photo sent twice to a vehicle is answered with 200.",
    params: VehicleParams,
    body: {
      name: "NewImage",
      schema: NewImage,
      readOnly: IMAGE_READ_ONLY,
      example: { image_url: "https://images.example.com/camry/front.jpg", is_primary: true },
    },
    answer: { status: 201, schema: ImageAnswer, description: "The created image" },
    also: { status: 200, description: "The image with this address that the vehicle has already" },
    photo: {
      types: PHOTO_BODY_TYPES,
      fields: PHOTO_FIELDS,
      receive: async ({ principal, params, photo }) => photos.receive(principal, params.id, photo),
    },
    errors: ["not_found", "not_your_dealer", "photos_off", "storage_quota", "storage_full", "upload_too_slow"],
    async handle({ principal, params, body }) {
      const added =
        body instanceof ReceivedPhoto
          ? await photos.add(principal, params.id, body)
          : await images.add(principal, params.id, body);
      if (added instanceof Failure) return added;
      const { image, isNew } = added;
      return isNew ? created(image, `/api/vehicles/${params.id}/images/${image.id}`) : ok(image);
    },
  }),
  route({
    operation: "image.reorder",
    name: "reorderImages",
    method: "PUT",
    path: "/api/vehicles/:id/images",
    summary: "Reorder a vehicle's images",
    params: VehicleParams,
    body: { name: "ImageOrder", schema: ImageOrder, readOnly: [], example: { image_ids: [1] } },
    answer: { status: 200, schema: Type.Array(ImageAnswer), description: "The images in their new order" },
    errors: ["not_found", "not_your_dealer"],
    answers: "record",
    of: ({ principal, params, body }) => images.reorder(principal, params.id, body),
  }),
  route({
    operation: "image.update",
    name: "updateImage",
    method: "PUT",
    path: "/api/vehicles/:id/images/:image_id",
    summary: "Change fields of an image",
    params: ImageParams,
    body: { name: "ImageChanges", schema: ImageUpdate, readOnly: IMAGE_READ_ONLY, example: { is_primary: true } },
    prepare: {
      isNeeded: isTurn,
      work: ({ principal, params, body }) =>
        photos.turn(principal, { vehicleId: params.id, imageId: params.image_id, input: body }),
    },
    answer: { status: 200, schema: ImageAnswer, description: "The updated image" },
    errors: ["not_found", "not_your_dealer"],
    answers: "record",
    of({ principal, params, body }) {
      const change = { vehicleId: params.id, imageId: params.image_id };
      return body instanceof TurnedPhoto
        ? photos.replace(principal, change, body)
        : images.update(principal, { ...change, input: body });
    },
  }),
  route({
    operation: "image.remove",
    name: "removeImage",
    method: "DELETE",
    path: "/api/vehicles/:id/images/:image_id",
    summary: "Remove an image",
    description: "If the primary image is removed, the first of the remaining images becomes primary.",
    params: ImageParams,
    answer: { status: 200, schema: DoneAnswer, description: "Removed" },
    errors: ["not_found", "not_your_dealer"],
    answers: "done",
    of: ({ principal, params }) => images.remove(principal, params.id, params.image_id),
    says: ({ image_id }) => `Image ${image_id} deleted`,
  }),
];
