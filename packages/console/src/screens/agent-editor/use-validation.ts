import { TraconApiError } from "@tracon/client";
import { useState } from "react";
import { failureOf } from "../../app/remedy.ts";
import { useServices } from "../../app/services.tsx";
import { type EditorFinding, readDefinition } from "./read-definition.ts";

const NOT_ASKED = "Validate to see what the server says of this definition.";

type Said = { readonly verdict: string; readonly findings: readonly EditorFinding[] };

export type Validation = Said & {
  readonly isPending: boolean;
  /** Asks the server about the text as it stands. */
  readonly validate: () => void;
  readonly show: (findings: readonly EditorFinding[]) => void;
  readonly showError: (error: unknown) => void;
  /** What was said no longer fits the text. */
  readonly forget: () => void;
};

/** What is known of a definition's text. The verdict is `valid` or a sentence. */
export function useValidation(text: string): Validation {
  const { api } = useServices();
  const [said, setSaid] = useState<Said>({ verdict: NOT_ASKED, findings: [] });
  const [isPending, setPending] = useState(false);

  const show = (findings: readonly EditorFinding[]) => {
    const errors = findings.filter((it) => it.severity === "Error").length;
    const verdict = errors === 0 ? "valid" : `${errors} ${errors === 1 ? "error" : "errors"}`;
    setSaid({ verdict, findings });
  };
  const showError = (error: unknown) => {
    if (error instanceof TraconApiError && error.findings.length > 0) show(error.findings);
    else {
      const { detail, remedy } = failureOf(error);
      setSaid({ verdict: `${detail}. ${remedy}`, findings: [] });
    }
  };
  const validate = async () => {
    const { definition, finding } = readDefinition(text);
    if (definition === undefined) {
      show([finding]);
      return;
    }
    setPending(true);
    try {
      const report = await api.agents.validate(definition);
      show(report.messages);
      if (report.inconclusive) {
        setSaid({ verdict: "A resource could not be asked.", findings: report.messages });
      }
    } catch (error) {
      showError(error);
    } finally {
      setPending(false);
    }
  };
  return {
    ...said,
    isPending,
    show,
    showError,
    validate: () => void validate(),
    forget: () => setSaid({ verdict: NOT_ASKED, findings: [] }),
  };
}
