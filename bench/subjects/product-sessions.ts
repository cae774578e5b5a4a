/** The same product, each run the first turn of a session of its own. */

import { randomUUID } from "node:crypto";
import { USER_MESSAGE } from "../fixture.ts";
import { openProduct } from "./product.ts";
import type { StorePlace, Subject } from "./subject.ts";

export const open = (place: StorePlace): Promise<Subject> =>
  openProduct(place, () => ({ message: USER_MESSAGE, sessionId: randomUUID() }));
