/**
 * The members of a definition in the order of its schema, read from the schema itself: a member
 * that is added there is exported, imported and compared without another line here.
 */

import { agentDefinitionRequestSchema } from "@tracon/core";
import type * as z from "zod";

/** What a member holds. `opaque` is the user's own: JSON, or a map with keys of theirs. */
export type Shape =
  | { readonly kind: "object"; readonly members: readonly MemberShape[] }
  | { readonly kind: "list"; readonly item: Shape }
  | { readonly kind: "opaque" }
  | { readonly kind: "scalar" };

export type MemberShape = {
  readonly name: string;
  readonly shape: Shape;
  /** What is read when the member is left out; `undefined` when that means absent. */
  readonly defaultValue: unknown;
};

export type ObjectShape = Extract<Shape, { readonly kind: "object" }>;

/** The shape of a whole definition, without the members the store owns. */
export const DEFINITION_SHAPE: ObjectShape = objectShapeOf(agentDefinitionRequestSchema);

function objectShapeOf(schema: z.core.$ZodType): ObjectShape {
  const shape = shapeOf(schema);
  if (shape.kind !== "object") throw new Error("assertion failed: a definition is an object");
  return shape;
}

function shapeOf(schema: z.core.$ZodType): Shape {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "pipe":
      return shapeOf(def.out);
    case "optional":
    case "default":
      return shapeOf(def.innerType);
    case "array":
      return { kind: "list", item: shapeOf(def.element) };
    case "object":
      return { kind: "object", members: Object.entries(def.shape).map(memberOf) };
    case "record":
      return { kind: "opaque" };
    default:
      return { kind: "scalar" };
  }
}

function memberOf([name, schema]: [string, z.core.$ZodType]): MemberShape {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const defaultValue = def.type === "default" ? def.defaultValue : undefined;
  return { name, shape: shapeOf(schema), defaultValue };
}
