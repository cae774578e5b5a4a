/** What a run needs before it may begin: its agent, what is asked, its session. Nothing is recorded yet. */

import {
  type ApprovalStore,
  type AttachmentStore,
  type ChatMessage,
  type ContextWindowEstimate,
  type SessionStore,
  TraconError,
} from "@tracon/core";
import type { OwnAgent } from "../catalog/catalog-entry.ts";
import type { CompiledAgent } from "../compile/compile-agent.ts";
import type { CompiledAgents } from "../compile/compiled-agents.ts";
import type { LiveAgents } from "../compile/live-agents.ts";
import type { OwnAgents } from "../compile/own-agents.ts";
import { ResolvedAgent } from "../compile/resolved-agent.ts";
import { type RunnableAgent, runnableOf } from "../compile/runnable-agent.ts";
import { conversationOf, type LoadedSession, loadSession } from "../session/load-session.ts";
import type { ResumeMode } from "./approval-claim.ts";
import { findAsked } from "./asked-message.ts";
import { compile } from "./compile-request.ts";
import { estimatePrompt, type PreflightSettings, refuseTooLarge } from "./estimate-prompt.ts";
import { resumeSession, type SessionResumePlan } from "./resume-session.ts";
import { type ReadRunRequest, readContinuation, readRunRequest } from "./start-run.ts";

export type RunPreparationOptions = {
  readonly compiled: CompiledAgents;
  readonly live: LiveAgents;
  readonly own: OwnAgents;
  readonly sessions: SessionStore;
  readonly attachments: AttachmentStore;
  readonly approvals: ApprovalStore;
  /** Of a model the configuration lists with its context window. */
  readonly contextWindowOf: (provider: string, model: string) => number | undefined;
  readonly preflight: PreflightSettings;
  readonly timestamp: () => string;
};

/** Everything a run begins with. */
export type PreparedRun = {
  readonly agent: RunnableAgent;
  readonly request: ReadRunRequest;
  readonly asked: ChatMessage | undefined;
  readonly session: LoadedSession | undefined;
  readonly resume: SessionResumePlan | undefined;
};

export type AskedAgent = { readonly name: string; readonly version: number | undefined };
type ResolvedAgentOf = ResolvedAgent | OwnAgent;

export class RunPreparation {
  readonly #options: RunPreparationOptions;

  constructor(options: RunPreparationOptions) {
    this.#options = options;
  }

  /** Throws what is wrong with agent, request and session, as `Runs.start` says. */
  async start(tenantId: string, asked: AskedAgent, request: unknown): Promise<PreparedRun> {
    const resolved = await this.#resolve(tenantId, asked);
    const { agent, read, compiled } = await this.#read(tenantId, resolved, request);
    const prepared = await this.#withSession(tenantId, { agent, request: read, mode: "request" });
    if (compiled !== undefined && this.#options.preflight.enabled) {
      refuseTooLarge(this.#estimateOf(compiled, prepared.asked, prepared.session));
    }
    return prepared;
  }

  /** A run that goes on with what another one left open in a session, with the values it had. */
  async continuation(
    tenantId: string,
    agentName: string,
    {
      mode,
      ...values
    }: {
      readonly sessionId: string;
      readonly parameters: Readonly<Record<string, string>> | undefined;
      readonly mode: ResumeMode;
    },
  ): Promise<PreparedRun> {
    const resolved = await this.#resolve(tenantId, { name: agentName, version: undefined });
    if (!(resolved instanceof ResolvedAgent)) {
      const request = readContinuation(values, []);
      const agent = await this.#options.own.build(tenantId, resolved);
      return this.#withSession(tenantId, { agent, request, mode });
    }
    const request = readContinuation(values, resolved.entry.definition.parameters);
    const agent = runnableOf(resolved.compiledFor(request));
    return this.#withSession(tenantId, { agent, request, mode });
  }

  async estimate(
    tenantId: string,
    asked: AskedAgent,
    request: unknown,
  ): Promise<ContextWindowEstimate> {
    const resolved = await this.#resolve(tenantId, asked);
    if (!(resolved instanceof ResolvedAgent)) {
      const message = `what agent '${asked.name}' sends is decided by the code that builds it`;
      throw new TraconError("feature_unavailable", message);
    }
    const { agent, read } = compile(resolved, request);
    const session = await this.#session(tenantId, agent.definition.name, read);
    return this.#estimateOf(agent, await this.#asked(tenantId, read), session);
  }

  /** Whether the agent exists is asked first: a stranger learns nothing of how to call it. */
  async #resolve(tenantId: string, { name, version }: AskedAgent): Promise<ResolvedAgentOf> {
    const { compiled, live } = this.#options;
    const found = await live.resolve(tenantId, name.normalize("NFC"), version);
    if (found !== undefined) return found;
    const cached = version === undefined ? compiled.cached(tenantId, name) : undefined;
    return cached ?? compiled.resolve(tenantId, name.normalize("NFC"), version);
  }

  async #read(
    tenantId: string,
    resolved: ResolvedAgentOf,
    request: unknown,
  ): Promise<{
    readonly agent: RunnableAgent;
    readonly read: ReadRunRequest;
    /** Absent for an agent that code builds. */
    readonly compiled: CompiledAgent | undefined;
  }> {
    if (resolved instanceof ResolvedAgent) {
      const { agent: compiled, read } = compile(resolved, request);
      return { agent: runnableOf(compiled), read, compiled };
    }
    const read = readRunRequest(request, []);
    const agent = await this.#options.own.build(tenantId, resolved);
    return { agent, read, compiled: undefined };
  }

  #estimateOf(
    agent: CompiledAgent,
    asked: ChatMessage | undefined,
    session: LoadedSession | undefined,
  ): ContextWindowEstimate {
    const { provider, modelId } = agent.turn.bound;
    const contextWindowTokens = this.#options.contextWindowOf(provider, modelId);
    const { reserveRatio } = this.#options.preflight;
    const history = session === undefined ? [] : conversationOf(session).history;
    const said = { asked, history, state: session?.state };
    return estimatePrompt(agent, said, { contextWindowTokens, reserveRatio });
  }

  #asked(tenantId: string, read: ReadRunRequest) {
    return findAsked(this.#options.attachments, tenantId, read);
  }

  #session(
    tenantId: string,
    agentName: string,
    { sessionId }: Pick<ReadRunRequest, "sessionId">,
  ): Promise<LoadedSession> | undefined {
    if (sessionId === undefined) return undefined;
    return loadSession(this.#options.sessions, { tenantId, sessionId, agentName });
  }

  async #withSession(
    tenantId: string,
    parts: Pick<PreparedRun, "agent" | "request"> & { readonly mode: ResumeMode },
  ): Promise<PreparedRun> {
    const { agent, request, mode } = parts;
    const asked = await this.#asked(tenantId, request);
    const session = await this.#session(tenantId, agent.name, request);
    if (session === undefined) return { agent, request, asked, session, resume: undefined };
    const now = this.#options.timestamp();
    const input = { tenantId, mode, agent, request, session, now };
    const resume = await resumeSession(this.#options.approvals, input);
    if (asked === undefined && (resume?.calls.length ?? 0) === 0) {
      const message = `nothing waits in session '${session.sessionId}' any more`;
      throw new TraconError("approval_conflict", message);
    }
    return { agent, request, asked, session: resume?.session ?? session, resume };
  }
}
