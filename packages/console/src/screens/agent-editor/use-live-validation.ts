import type { TraconClient } from "@tracon/client";
import { TraconApiError } from "@tracon/client";
import { useEffect, useState } from "react";
import { failureOf } from "../../app/remedy.ts";
import { useServices } from "../../app/services.tsx";
import type { EditorFinding } from "./editor-finding.ts";
import type { JsonObject } from "./form/json-path.ts";

/** Quiet time after a change before the server is asked. */
const PAUSE_MS = 350;

export type Validation = {
  /** What the server was asked about last; compare it with what is being edited. */
  readonly of: JsonObject | undefined;
  readonly findings: readonly EditorFinding[];
  /** Why the findings may not be all there are. */
  readonly problem: string | undefined;
};

/** What the server says of a definition, asked anew whenever it has stood still for a moment. */
export function useLiveValidation(definition: JsonObject): {
  readonly validation: Validation;
  readonly isPending: boolean;
  /** A save was refused. */
  readonly showError: (error: unknown) => void;
} {
  const { api } = useServices();
  const [validation, setValidation] = useState<Validation>({
    of: undefined,
    findings: [],
    problem: undefined,
  });
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      void ask(api, definition, controller.signal).then((said) => {
        if (!controller.signal.aborted) setValidation({ of: definition, ...said });
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [api, definition]);
  return {
    validation,
    isPending: validation.of !== definition,
    showError: (error) => setValidation({ of: definition, ...saidOf(error) }),
  };
}

type Said = Omit<Validation, "of">;

async function ask(api: TraconClient, definition: JsonObject, signal: AbortSignal): Promise<Said> {
  try {
    const { messages, inconclusive } = await api.agents.validate(definition, { signal });
    const problem = inconclusive ? "Something it refers to could not be asked." : undefined;
    return { findings: messages, problem };
  } catch (error) {
    return saidOf(error);
  }
}

function saidOf(error: unknown): Said {
  if (error instanceof TraconApiError && error.findings.length > 0) {
    return { findings: error.findings, problem: undefined };
  }
  const { detail, remedy } = failureOf(error);
  return { findings: [], problem: `${detail}. ${remedy}` };
}
