import { memo, useDeferredValue, useMemo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import gfm from "remark-gfm";
import { markdownBlocks } from "./markdown-blocks.ts";

/**
 * Markdown that a model wrote. HTML in it stays text, links open outside without a way back, and
 * images are links: the page asks nothing of other origins before somebody clicks.
 */
export function MarkdownText({ text }: { readonly text: string }) {
  // While text streams in, parsing may lag behind; typing and scrolling may not.
  const settled = useDeferredValue(text);
  const blocks = useMemo(() => markdownBlocks(settled), [settled]);
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only grow at the end
        <Block key={index} text={block} />
      ))}
    </div>
  );
}

/** Tables, task lists and bare links, which models write all the time. */
const PLUGINS = [gfm];

const Block = memo(({ text }: { readonly text: string }) => (
  <ReactMarkdown components={components} remarkPlugins={PLUGINS}>
    {text}
  </ReactMarkdown>
));

const components: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ src, alt }) => (
    <OutsideLink href={typeof src === "string" ? src : undefined}>
      Image: {alt === undefined || alt === "" ? "without description" : alt}
    </OutsideLink>
  ),
  // The page's own headings stand above the text's.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
  h5: ({ children }) => <h4>{children}</h4>,
  h6: ({ children }) => <h4>{children}</h4>,
  pre: ({ children }) => (
    // A region that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls
    <pre tabIndex={0}>{children}</pre>
  ),
};

const OutsideLink = (props: {
  readonly href: string | undefined;
  readonly children: React.ReactNode;
}) => (
  <a href={props.href} target="_blank" rel="noopener noreferrer nofollow">
    {props.children}
  </a>
);
