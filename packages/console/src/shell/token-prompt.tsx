import { TraconApiError } from "@tracon/client";
import { type SyntheticEvent, useState } from "react";
import { failureOf } from "../app/remedy.ts";
import { useServices } from "../app/services.tsx";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Field, TextInput } from "../design/field.tsx";

/** Asks for the server's token, tries it, and keeps it for this tab. */
export function TokenPrompt() {
  const { apiWith, desk } = useServices();
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");
  const [isTrying, setTrying] = useState(false);

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTrying(true);
    try {
      await apiWith(token).agents.list();
      desk.give(token);
    } catch (error) {
      const isWrong = error instanceof TraconApiError && error.status === 401;
      setProblem(isWrong ? "The server does not accept this token." : failureOf(error).detail);
    } finally {
      setTrying(false);
    }
  };

  return (
    <Dialog title="This server asks for a token" onClose={desk.decline}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <p className="text-muted">
          It is the value of <code className="font-mono">TRACON_TOKEN</code> or of{" "}
          <code className="font-mono">server.token</code> in the configuration. It stays in this tab
          and is gone when you close it.
        </p>
        <Field label="Token">
          <TextInput
            type="password"
            data-autofocus
            autoComplete="off"
            required
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        </Field>
        <p role="alert" className="min-h-5 text-failed">
          {problem}
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={desk.decline}>Not now</Button>
          <Button type="submit" tone="primary" disabled={isTrying || token === ""}>
            Use token
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
