import type { Command } from "../command.ts";
import { dev } from "./dev.ts";
import { migrate } from "./migrate.ts";
import { run } from "./run.ts";
import { serve } from "./serve.ts";
import { validate } from "./validate.ts";

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [dev, serve, run, validate, migrate];
