import { expect, test } from "bun:test";
import Type from "typebox";
import { compiledAhead, compiledOnUse, compileNextExpected } from "../../core/compiled.ts";

test("fields with the same schema share one compiled check", () => {
  const schema = Type.Integer({ minimum: 1 });
  const check = compiledOnUse(schema)();
  expect(compiledAhead(schema)()).toBe(check);
  expect([check.Check(1), check.Check(0)]).toEqual([true, false]);
});

test("checks that are expected are compiled one at a time until there is none left, and work before and after", () => {
  while (compileNextExpected());
  const [before, after, twice] = [Type.Integer({ minimum: 2 }), Type.Integer({ minimum: 3 }), Type.Integer()];
  const checks = [before, after, twice, twice].map(compiledAhead);
  expect(checks[0]?.().Check(1)).toBe(false);
  expect([compileNextExpected(), compileNextExpected(), compileNextExpected()]).toEqual([true, true, false]);
  expect(checks.map((check) => check().Check(2))).toEqual([true, false, true, true]);
});
