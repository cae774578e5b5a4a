import { useQuery } from "@tanstack/react-query";
import type { AgentParameter, AgentRunRequest, ContextWindowEstimate } from "@tracon/core";
import { useState } from "react";
import { agentQuery, estimateQuery, toolsQuery } from "../../../app/queries.ts";
import { useServices } from "../../../app/services.tsx";
import { Section } from "../../../design/facts.tsx";
import { Field, TextInput } from "../../../design/field.tsx";
import { Fold } from "../../../design/fold.tsx";
import { ParameterForm } from "../../playground/parameter-form.tsx";
import { givenParameters, type ParameterValues } from "../../playground/parameter-values.ts";
import type { JsonObject } from "../form/json-path.ts";
import { AgentTools, callsAgents } from "./agent-tools.tsx";
import { HarnessTools, harnessPartsOf } from "./harness-tools.tsx";
import {
  culturesOf,
  instructionsPreview,
  parametersOf,
  type TextPart,
} from "./instructions-text.ts";

/** An estimate is of a run, and a run says something. */
const MEASURED_MESSAGE = "?";

/** What the model will read of the definition as it stands, saved or not. */
export function PreviewPane(props: {
  readonly definition: JsonObject;
  /** The saved agent whose prompt the server can count, when nothing is changed. */
  readonly savedName: string | undefined;
}) {
  const { definition } = props;
  const [culture, setCulture] = useState("");
  const [values, setValues] = useState<ParameterValues>({});
  const shared = useSharedBlock(definition.sharedInstructionsName);
  const preview = instructionsPreview(definition, { culture, values, block: shared.block });
  const parameters = parametersOf(definition) as readonly AgentParameter[];

  return (
    <div className="flex flex-col gap-4 p-4">
      <h2 className="font-semibold">What the model will read</h2>
      <CultureInput
        cultures={culturesOf(definition)}
        culture={culture}
        chosen={preview.cultureKey}
        onChange={setCulture}
      />
      <ParameterForm parameters={parameters} values={values} onChange={setValues} />
      <Section title="Instructions">
        {shared.problem === undefined ? null : <p className="text-muted">{shared.problem}</p>}
        {preview.missing.length === 0 ? null : (
          <p className="text-waiting">
            Needs a value: {preview.missing.join(", ")}. A run without one is refused.
          </p>
        )}
        <Instructions parts={preview.parts} />
        <PromptSize
          parts={preview.parts}
          savedName={preview.missing.length === 0 ? props.savedName : undefined}
          request={{
            message: MEASURED_MESSAGE,
            ...(culture === "" ? {} : { culture }),
            parameters: givenParameters(parameters, values) ?? {},
          }}
        />
      </Section>
      <OfferedTools definition={definition} />
    </div>
  );
}

function CultureInput(props: {
  readonly cultures: readonly string[];
  readonly culture: string;
  readonly chosen: string | undefined;
  readonly onChange: (culture: string) => void;
}) {
  const reads = props.chosen === undefined ? "the default text" : `the text of ${props.chosen}`;
  return (
    <Field label="Culture of the run" hint={`Reads ${reads}.`}>
      <TextInput
        list="preview-cultures"
        placeholder="none"
        value={props.culture}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <datalist id="preview-cultures">
        {props.cultures.map((it) => (
          <option key={it} value={it} />
        ))}
      </datalist>
    </Field>
  );
}

const Instructions = ({ parts }: { readonly parts: readonly TextPart[] }) =>
  parts.length === 0 ? (
    <p className="text-muted">None. The model reads the conversation only.</p>
  ) : (
    <section
      aria-label="Instructions as read"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-[50dvh] overflow-auto rounded-md border border-hairline bg-raised px-3 py-2"
    >
      <pre className="whitespace-pre-wrap font-mono text-sm [overflow-wrap:anywhere]">
        {parts.map(({ text, parameter }, index) =>
          parameter === undefined ? (
            text
          ) : (
            <mark
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity of their own
              key={index}
              title={parameter}
              className="rounded-sm bg-accent-soft text-ink"
            >
              {text}
            </mark>
          ),
        )}
      </pre>
    </section>
  );

/** How long it is: in characters, and in tokens where the server has the very same text. */
function PromptSize(props: {
  readonly parts: readonly TextPart[];
  readonly savedName: string | undefined;
  readonly request: AgentRunRequest;
}) {
  const { api } = useServices();
  const { savedName = "" } = props;
  const estimate = useQuery({
    ...estimateQuery(api, savedName, props.request),
    enabled: savedName !== "",
  }).data;
  const length = props.parts.reduce((sum, { text }) => sum + text.length, 0);
  return (
    <p className="text-muted text-sm tabular-nums">
      {length.toLocaleString("en")} characters
      {savedName === "" || estimate === undefined ? null : `, ${tokensText(estimate)}`}
    </p>
  );
}

function tokensText({ promptTokens, contextWindowTokens }: ContextWindowEstimate): string {
  const tokens = `about ${promptTokens.toLocaleString("en")} tokens with its tools`;
  return contextWindowTokens === null
    ? tokens
    : `${tokens}, of a window of ${contextWindowTokens.toLocaleString("en")}`;
}

function OfferedTools({ definition }: { readonly definition: JsonObject }) {
  const { api } = useServices();
  const { toolNames: names } = definition;
  const registered = new Map(
    (useQuery(toolsQuery(api)).data ?? []).map((tool) => [tool.name, tool]),
  );
  const named: readonly unknown[] = Array.isArray(names) ? names : [];
  const offered = [...new Set(named)].flatMap((name) => registered.get(String(name)) ?? []);
  const calls = callsAgents(definition);
  const harness = harnessPartsOf(definition);
  const isEmpty = offered.length === 0 && !calls && harness.length === 0;
  return (
    <Section title="Tools">
      {isEmpty ? <p className="text-muted">None is offered.</p> : null}
      {offered.map(({ name, description, inputSchema }) => (
        <Fold
          key={name}
          summary={
            <>
              <span className="font-mono text-sm">{name}</span>
              <span className="truncate text-muted">{description}</span>
            </>
          }
        >
          <p>{description ?? <span className="text-muted">It has no description.</span>}</p>
          <pre className="overflow-auto whitespace-pre-wrap font-mono text-sm [overflow-wrap:anywhere]">
            {JSON.stringify(inputSchema, null, 2)}
          </pre>
        </Fold>
      ))}
      <HarnessTools parts={harness} />
      {calls ? <AgentTools definition={definition} /> : null}
    </Section>
  );
}

/** The text of the shared block, or why it cannot be shown. */
function useSharedBlock(value: unknown): { readonly block?: string; readonly problem?: string } {
  const { api } = useServices();
  const name = typeof value === "string" ? value : "";
  const agent = useQuery({ ...agentQuery(api, name), enabled: name !== "" });
  if (name === "") return {};
  if (agent.error !== null) return { problem: `The shared block '${name}' cannot be read.` };
  if (agent.data === undefined) return { problem: `Reading the shared block '${name}'…` };
  const { definition } = agent.data;
  if (definition === null) {
    return { problem: `'${name}' is defined in code: its text is not shown here.` };
  }
  return definition.instructions === undefined ? {} : { block: definition.instructions };
}
