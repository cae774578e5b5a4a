import { QueryClient } from "@tanstack/react-query";
import { TraconApiError } from "@tracon/client";

const MAX_RETRIES = 2;
/** Younger answers are shown without asking again. */
const FRESH_MS = 2_000;

/** Answers of the API, kept while they are shown. A refusal is not asked for twice. */
export const createQueryCache = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) =>
          failures < MAX_RETRIES &&
          error instanceof TraconApiError &&
          (error.status === 0 || error.status >= 500),
      },
    },
  });
