import { Link } from "@tanstack/react-router";
import type { AgentDefinition, AgentDetail } from "@tracon/core";
import type { ReactNode } from "react";
import { CodeBlock } from "../../design/code-block.tsx";
import { type Fact, Facts, Section, Tag } from "../../design/facts.tsx";
import { formatInstant } from "../../design/format.ts";
import { settingFacts } from "./setting-facts.ts";

/** A definition in sections to read. What is not set is not shown. */
export function AgentOverview({ detail }: { readonly detail: AgentDetail }) {
  const { descriptor, definition } = detail;
  return (
    <div className="flex max-w-3xl flex-col gap-6 p-4">
      <Facts
        facts={[
          ["Display name", descriptor.displayName],
          ["Description", descriptor.description],
          ["Source", descriptor.sourceName],
          ["Saved", descriptor.updatedAt && formatInstant(descriptor.updatedAt)],
        ]}
      />
      {definition === null ? <CodeAgent detail={detail} /> : <Definition definition={definition} />}
    </div>
  );
}

const CodeAgent = ({ detail: { descriptor } }: { readonly detail: AgentDetail }) => (
  <>
    <p className="text-muted">
      This agent is not edited here: code or another source defines it. The catalog knows this much:
    </p>
    {descriptor.model === undefined ? null : (
      <Section title="Model">
        <Facts facts={settingFacts(descriptor.model)} />
      </Section>
    )}
    <Names title="Tools" names={descriptor.toolNames} />
    <Names title="Skills" names={descriptor.skillNames} />
    <AgentNames names={descriptor.callableAgentNames.map((name) => ({ name }))} />
  </>
);

const Definition = ({ definition }: { readonly definition: AgentDefinition }) => (
  <>
    <Section title="Model">
      <Facts facts={settingFacts(definition.model)} />
    </Section>
    <Instructions definition={definition} />
    <Parameters definition={definition} />
    <Names title="Tools" names={definition.toolNames} />
    <AgentNames names={definition.callableAgents} />
    <Settings title="Sub-agents" settings={definition.subAgents} />
    <Names title="Skills" names={definition.skillNames} />
    <Settings title="Skill settings" settings={definition.skills} />
    <Settings title="Loop" settings={definition.harness?.loop} />
    <Settings title="Harness" settings={withoutLoop(definition.harness)} />
    <Settings title="Compaction" settings={definition.compaction} />
    <Settings title="Memory" settings={definition.memory} />
    <Settings title="Workspace" settings={definition.workspace} />
    <Names title="Extensions" names={definition.extensionNames} />
    <Names title="MCP resources" names={definition.mcpResourceUris} />
    {Object.keys(definition.metadata).length === 0 ? null : (
      <Section title="Metadata">
        <CodeBlock label="metadata" text={JSON.stringify(definition.metadata, null, 2)} />
      </Section>
    )}
  </>
);

const Instructions = ({ definition }: { readonly definition: AgentDefinition }) => (
  <>
    <Section title="Instructions">
      {definition.sharedInstructionsName === undefined ? null : (
        <p className="text-muted">Behind the shared block {definition.sharedInstructionsName}.</p>
      )}
      {definition.instructions === undefined ? (
        <p className="text-muted">None.</p>
      ) : (
        <CodeBlock label="instructions" text={definition.instructions} isTall />
      )}
    </Section>
    {Object.entries(definition.instructionsByCulture ?? {}).map(([culture, text]) => (
      <Section key={culture} title={`Instructions for ${culture}`}>
        <CodeBlock label={`instructions for ${culture}`} text={text} />
      </Section>
    ))}
  </>
);

function Parameters({ definition }: { readonly definition: AgentDefinition }) {
  if (definition.parameters.length === 0) return null;
  const facts = definition.parameters.map(
    ({ name, kind, required, defaultValue, description }): Fact => [
      name,
      [
        kind,
        required ? "required" : "optional",
        defaultValue === undefined ? undefined : `default "${defaultValue}"`,
        description,
      ]
        .filter(Boolean)
        .join(" · "),
    ],
  );
  return (
    <Section title="Parameters">
      <Facts facts={facts} />
    </Section>
  );
}

const Settings = (props: { readonly title: string; readonly settings: object | undefined }) =>
  props.settings === undefined ? null : (
    <Section title={props.title}>
      <Facts facts={settingFacts(props.settings)} />
    </Section>
  );

function withoutLoop(harness: AgentDefinition["harness"]): object | undefined {
  if (harness === undefined) return undefined;
  const { loop: _, ...rest } = harness;
  return rest;
}

const Names = (props: { readonly title: string; readonly names: readonly string[] }) =>
  props.names.length === 0 ? null : (
    <Listed title={props.title}>
      {props.names.map((name) => (
        <li key={name}>
          <Tag>{name}</Tag>
        </li>
      ))}
    </Listed>
  );

const AgentNames = (props: {
  readonly names: readonly { readonly name: string; readonly version?: number | undefined }[];
}) =>
  props.names.length === 0 ? null : (
    <Listed title="Agents it may call">
      {props.names.map(({ name, version }) => (
        <li key={name}>
          <Link to="/agents/$name" params={{ name }} className="text-accent underline">
            {name}
            {version === undefined ? "" : ` v${version}`}
          </Link>
        </li>
      ))}
    </Listed>
  );

const Listed = (props: { readonly title: string; readonly children: ReactNode }) => (
  <Section title={props.title}>
    <ul className="flex flex-wrap gap-1.5">{props.children}</ul>
  </Section>
);
