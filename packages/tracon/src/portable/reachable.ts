/** Everything that is reached from `start` in any number of steps, with `start` itself. */
export function reachable(
  start: string,
  next: (name: string) => readonly string[],
): ReadonlySet<string> {
  const reached = new Set([start]);
  for (const name of reached) for (const other of next(name)) reached.add(other);
  return reached;
}
