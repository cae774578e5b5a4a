import type { Ref } from "react";
import { GeneralSection, InstructionsSection, ParametersSection } from "./basics-sections.tsx";
import { CallableAgentsSection } from "./callable-agents/callable-agents-section.tsx";
import {
  ExtensionsSection,
  McpSection,
  SkillsSection,
  ToolsSection,
} from "./capability-sections.tsx";
import {
  CompactionSection,
  MemorySection,
  MetadataSection,
  WorkspaceSection,
} from "./context-sections.tsx";
import { HarnessSection } from "./harness-section.tsx";
import { LoopSection } from "./loop/loop-section.tsx";
import { ModelSection } from "./model-fields.tsx";

/** Every member of a definition as a form. */
export const DefinitionForm = (props: {
  readonly isNew: boolean;
  readonly culture: string;
  readonly onCulture: (culture: string) => void;
  readonly ref: Ref<HTMLDivElement>;
}) => (
  <div ref={props.ref}>
    <GeneralSection isNew={props.isNew} />
    <InstructionsSection culture={props.culture} onCulture={props.onCulture} />
    <ParametersSection />
    <ModelSection />
    <ToolsSection />
    <SkillsSection />
    <CallableAgentsSection />
    <ExtensionsSection />
    <McpSection />
    <HarnessSection />
    <LoopSection />
    <CompactionSection />
    <MemorySection />
    <WorkspaceSection />
    <MetadataSection />
  </div>
);
