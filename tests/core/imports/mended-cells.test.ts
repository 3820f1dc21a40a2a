import { expect, test } from "bun:test";
import { failureOfCells, MAX_CELL } from "../../../core/imports/mended-cells.ts";
import { causeOf } from "../use-cases.ts";

const long = "x".repeat(MAX_CELL);
const must = "must be a text of up to 20000 characters, a number or null, and";

test("each cell that can be none is named by its row and its heading, with what it is", () => {
  const cells = { Text: "", Long: long, Number: 5, Null: null };
  const wrong = { Long: `${long}x`, Yes: true, No: false, List: ["9"], Object: { a: 1 } };
  expect(
    causeOf(
      failureOfCells({
        rows: [
          { row: 1, cells },
          { row: 2, cells: { ...cells, ...wrong } },
        ],
      }),
    ),
  ).toEqual({
    kind: "invalid",
    issues: [
      { path: "rows[1].cells.Long", message: `${must} has 20001 characters` },
      { path: "rows[1].cells.Yes", message: `${must} is true` },
      { path: "rows[1].cells.No", message: `${must} is false` },
      { path: "rows[1].cells.List", message: `${must} is a list` },
      { path: "rows[1].cells.Object", message: `${must} is an object` },
    ],
    omitted: 0,
  });
});

test("a body whose cells are right, or of another form, is left to the form of bodies", () => {
  const bodies = [
    undefined,
    null,
    "rows",
    5,
    [],
    {},
    { rows: null },
    { rows: "ab" },
    { rows: { 0: { cells: [true] } } },
  ];
  const rows = [
    undefined,
    null,
    "cells",
    [],
    {},
    { cells: null },
    { cells: [true] },
    { cells: "ab" },
    { cells: { a: 1 } },
  ];
  for (const body of [...bodies, { rows }]) expect(failureOfCells(body)).toBeNull();
});

test("so many faulty cells are named, and the others counted", () => {
  const cells = Object.fromEntries(Array.from({ length: 60 }, (_, place) => [`${place}`, true]));
  expect(causeOf(failureOfCells({ rows: [{ cells }] }))).toMatchObject({ issues: { length: 50 }, omitted: 10 });
});
