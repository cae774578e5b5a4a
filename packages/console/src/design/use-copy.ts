import { useEffect, useRef, useState } from "react";

const SHOWN_MS = 1_500;

/** Copies a text and says for a moment that it did. Outside of secure contexts there is no clipboard. */
export function useCopy(onRefused: () => void): readonly [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = (text: string) => {
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (clipboard === undefined) {
      onRefused();
      return;
    }
    clipboard.writeText(text).then(() => {
      setCopied(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setCopied(false), SHOWN_MS);
    }, onRefused);
  };
  return [copied, copy];
}
