/** Whether a request comes from this machine, by its connection and by the names it uses. */

const LOOPBACK_ADDRESS = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/i;
const LOOPBACK_HOST = /^(?:(?:[a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
const LOOPBACK_ORIGIN = /^https?:\/\/([^/]+)$/i;
const FORWARDING_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip"] as const;

/** A request that passed a proxy is remote, wherever the proxy stands. */
export function isRemote(headers: Headers, remoteAddress: string | undefined): boolean {
  if (FORWARDING_HEADERS.some((name) => headers.has(name))) return true;
  return remoteAddress !== undefined && !LOOPBACK_ADDRESS.test(remoteAddress);
}

/**
 * Whether `Host` and, when present, `Origin` name this machine: a page of another site, also one
 * whose name was rebound to 127.0.0.1, does not.
 */
export function namesLoopback(request: Request): boolean {
  const host = request.headers.get("host") ?? hostOf(request.url);
  if (!LOOPBACK_HOST.test(host)) return false;
  const origin = request.headers.get("origin");
  if (origin === null) return true;
  const originHost = LOOPBACK_ORIGIN.exec(origin)?.[1];
  return originHost !== undefined && LOOPBACK_HOST.test(originHost);
}

function hostOf(url: string): string {
  const start = url.indexOf("//") + 2;
  const end = url.indexOf("/", start);
  return url.slice(start, end === -1 ? undefined : end);
}
