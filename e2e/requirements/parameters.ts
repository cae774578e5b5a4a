/** Declaring parameters and putting their values into instructions. */

import type { Requirement } from "./requirement.ts";

export const parameters: readonly Requirement[] = [
  {
    id: "parameter.placeholder-form",
    document: "000",
    section: "Parameters",
    sentence:
      "A declared parameter is written `{{name}}` in the instructions and replaced by its value.",
    status: "built",
  },
  {
    id: "parameter.values-on-run",
    document: "000",
    section: "Parameters",
    sentence: "A run request supplies the values in `parameters`.",
    status: "built",
  },
  {
    id: "parameter.estimate-checks-values",
    document: "000",
    section: "Parameters",
    sentence:
      "`POST /api/agents/{name}/estimate` takes the same `parameters` and checks them the same way.",
    status: "built",
  },
  {
    id: "parameter.estimate-calls-no-model",
    document: "000",
    section: "Parameters",
    sentence: "Checking the values on `/estimate` calls no model.",
    status: "built",
  },
  {
    id: "parameter.missing-required-stops-before-start",
    document: "000",
    section: "Parameters",
    sentence:
      "A required parameter without a value and without `defaultValue` stops the run before it starts, and the refusal names it.",
    status: "built",
  },
  {
    id: "parameter.default-satisfies-required",
    document: "000",
    section: "Parameters",
    sentence: "A required parameter with a `defaultValue` needs no value from the run.",
    status: "built",
  },
  {
    id: "parameter.default-used-when-absent",
    document: "000",
    section: "Parameters",
    sentence: "A parameter the run gives no value for is replaced by its `defaultValue`.",
    status: "built",
  },
  {
    id: "parameter.undeclared-value-refused",
    document: "000",
    section: "Parameters",
    sentence:
      "A value for a name the definition does not declare is refused and never dropped silently.",
    status: "built",
  },
  {
    id: "parameter.checked-for-saved-definition",
    document: "000",
    section: "Parameters",
    sentence: "The values are checked for a definition saved through the API.",
    status: "built",
  },
  {
    id: "parameter.checked-for-code-definition",
    document: "000",
    section: "Parameters",
    sentence: "The values are checked for a definition registered in code.",
    status: "built",
  },
  {
    id: "parameter.no-expressions",
    document: "000",
    section: "Parameters",
    sentence: "Expressions, conditions and loops in double braces are not evaluated.",
    status: "built",
  },
  {
    id: "parameter.no-field-access",
    document: "000",
    section: "Parameters",
    sentence: "`{{a.b}}` gives no access to a field and is not substituted.",
    status: "built",
  },
  {
    id: "parameter.single-pass",
    document: "000",
    section: "Parameters",
    sentence: "A value that contains `{{name}}` is inserted as it is and never substituted again.",
    status: "built",
  },
  {
    id: "parameter.json-string-value-escaped",
    document: "000",
    section: "Parameters",
    sentence:
      "A placeholder that is a whole JSON string value gets its value JSON-escaped, so the text stays valid JSON.",
    status: "built",
  },
  {
    id: "parameter.inserted-verbatim-elsewhere",
    document: "000",
    section: "Parameters",
    sentence: "A placeholder anywhere else gets its value exactly as given.",
    status: "built",
  },
  {
    id: "parameter.bound-once-per-request",
    document: "000",
    section: "Parameters",
    sentence:
      "The values are bound once per request, after the culture is resolved and before the agent is compiled.",
    status: "built",
  },
  {
    id: "parameter.never-cached",
    document: "000",
    section: "Parameters",
    sentence: "The compiled agent of a run with bound values is not cached.",
    status: "built",
  },
  {
    id: "parameter.never-shares-compiled-agent",
    document: "000",
    section: "Parameters",
    sentence: "Two runs with different values never share a compiled agent.",
    status: "built",
  },
  {
    id: "parameter.kinds",
    document: "000",
    section: "Parameters",
    sentence: "A parameter is of kind `Text`, `Number` or `Boolean`.",
    status: "built",
  },
  {
    id: "parameter.kind-is-a-label",
    document: "000",
    section: "Parameters",
    sentence:
      "The kind does not restrict a value: every value travels as a string, and a `Number` parameter accepts any text.",
    status: "built",
  },
  {
    id: "parameter.kind-shapes-console-input",
    document: "000",
    section: "Parameters",
    sentence: "The console picks the input of its form by the kind of the parameter.",
    status: "built",
  },
  {
    id: "parameter.empty-schema-changes-nothing",
    document: "000",
    section: "Parameters",
    sentence: "Without declared parameters `{{…}}` stays plain text in the instructions.",
    status: "built",
  },
  {
    id: "parameter.schema-only",
    document: "004",
    section: "Parameters",
    sentence: "A definition carries the schema of its parameters and never a value.",
    status: "built",
  },
  {
    id: "parameter.schema-checked-at-compile",
    document: "004",
    section: "Parameters",
    sentence: "The parameter schema of a definition is checked when it is compiled.",
    status: "built",
  },
];
