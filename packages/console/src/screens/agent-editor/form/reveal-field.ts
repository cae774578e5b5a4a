import { isWithin, parsePath } from "./json-path.ts";

/**
 * Opens the section of the field nearest to a path, focuses its control and brings it into view.
 * Answers false for what the form has no field for.
 */
export function revealField(form: HTMLElement, path: string): boolean {
  const target = parsePath(path);
  const nearest = [...form.querySelectorAll<HTMLElement>("[data-path]")]
    .map((element) => ({ element, at: parsePath(element.dataset.path ?? "") }))
    .filter(({ at }) => isWithin(target, at))
    .sort((left, right) => right.at.length - left.at.length)
    .at(0)?.element;
  if (nearest === undefined) return false;
  for (
    let at = nearest.closest("details");
    at !== null;
    at = at.parentElement?.closest("details") ?? null
  ) {
    at.open = true;
  }
  const control = nearest.querySelector<HTMLElement>(
    'input, textarea, select, button, [role="textbox"]',
  );
  control?.focus({ preventScroll: true });
  (control ?? nearest).scrollIntoView({ block: "center" });
  return true;
}
