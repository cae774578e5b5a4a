import { setting } from "../job.ts";
import type { StorePlace, Subject, SubjectModule } from "./subject.ts";

const OURS: ReadonlySet<string> = new Set(["product", "product-sessions", "reference", "bare"]);

/** Opens a subject by its name, in a store of its own. */
export async function openSubject(name: string, store: string): Promise<Subject> {
  const file = OURS.has(name) ? `./${name}.ts` : `../peers/${name}.mjs`;
  const { open } = (await import(file)) as SubjectModule;
  const { folder, postgresUrl } = setting;
  return open({ store: store as StorePlace["store"], folder, postgresUrl });
}
