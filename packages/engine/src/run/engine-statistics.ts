import { type Finding, finding, type TimeBucket, TraconError } from "@tracon/core";
import { type CostSources, recalculateCosts } from "./recalculate-costs.ts";
import type { Statistics, TimeSeriesRequest } from "./statistics.ts";

/** Rows of each breakdown. */
const DEFAULT_MAX_ROWS = 50;
/** Points of a time series: what a chart can show. */
const MAX_BUCKETS = 500;
const DEFAULT_BUCKETS = 24;
const DEFAULT_ERROR_HOURS = 24;
const HOUR_MS = 3_600_000;
const BUCKET_MS: Readonly<Record<TimeBucket, number>> = { Hour: HOUR_MS, Day: 24 * HOUR_MS };

export function createStatistics(options: CostSources): Statistics {
  const { statistics, clock } = options;
  return {
    get: (tenantId, filter = {}, { maxRows = DEFAULT_MAX_ROWS } = {}) =>
      statistics.statistics(tenantId, filter, { maxRows }),

    async timeSeries(tenantId, request = {}) {
      const { from: _, to: __, bucket = "Hour", kind = "Agent", ...filter } = request;
      return statistics.timeSeries(tenantId, {
        ...filter,
        ...rangeOf(request, bucket, clock.now()),
        bucket,
        kind,
      });
    },

    errors(tenantId, { agentName, hours = DEFAULT_ERROR_HOURS } = {}) {
      const startedAfter = new Date(clock.now() - hours * HOUR_MS).toISOString();
      const agent = agentName === undefined ? {} : { agentName };
      return statistics.errors(tenantId, { startedAfter, ...agent });
    },

    criteria: (tenantId, filter = {}, { maxRows = DEFAULT_MAX_ROWS } = {}) =>
      statistics.criteria(tenantId, filter, { maxRows }),

    recalculateCosts: (tenantId, { after } = {}) => recalculateCosts(options, tenantId, after),
  };
}

function rangeOf(
  { from, to }: TimeSeriesRequest,
  bucket: TimeBucket,
  nowMs: number,
): { readonly from: string; readonly to: string } {
  const bucketMs = BUCKET_MS[bucket];
  const toMs = to === undefined ? nowMs : Date.parse(to);
  const end = Math.ceil(toMs / bucketMs);
  const fromMs = from === undefined ? (end - DEFAULT_BUCKETS) * bucketMs : Date.parse(from);
  const count = end - Math.floor(fromMs / bucketMs);
  const findings = rangeFindings(fromMs < toMs, count);
  if (findings.length > 0) {
    throw new TraconError("request_invalid", "the time series was not read", { findings });
  }
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

function rangeFindings(isInOrder: boolean, count: number): readonly Finding[] {
  if (!isInOrder) return [finding("invalid_value", "query.from", "must be before 'to'")];
  if (count <= MAX_BUCKETS) return [];
  const message = `asks for ${count} buckets, at most ${MAX_BUCKETS} are answered; take a shorter time or longer buckets`;
  return [finding("invalid_value", "query.from", message)];
}
