/** The stylesheet of the reference page. It is part of the page and allowed there by its hash. */
export const STYLE = `
:root { color-scheme: light dark;
  --text: light-dark(#1b1f24, #e4e7eb); --dim: light-dark(#59636e, #9aa4af);
  --line: light-dark(#d8dee4, #30363d); --page: light-dark(#ffffff, #0f1317);
  --box: light-dark(#f5f7f9, #181d23); --accent: light-dark(#0a5cc2, #6cb0ff); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.55 system-ui, sans-serif; display: grid;
  grid-template-columns: minmax(13rem, 17rem) minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem 1rem;
  border-right: 1px solid var(--line); font-size: 0.875rem; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav li { margin: 0.2rem 0; }
main { padding: 1.5rem 2rem 6rem; max-width: 60rem; }
a { color: var(--accent); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
h1 { font-size: 1.6rem; margin: 0 0 0.5rem; }
h2 { font-size: 1.25rem; margin: 3rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 0; }
h4 { font-size: 0.875rem; margin: 1.25rem 0 0.25rem; color: var(--dim); }
article { border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; margin: 1rem 0; }
article:target, tr:target { outline: 2px solid var(--accent); }
code, pre { font-family: ui-monospace, monospace; font-size: 0.8125rem; }
pre { background: var(--box); border-radius: 6px; padding: 0.75rem 1rem; overflow: auto; }
.path { display: block; margin: 0.25rem 0 0.75rem; overflow-wrap: anywhere; }
.method { font-weight: 700; color: var(--accent); }
.dim { color: var(--dim); }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.75rem 0.35rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
th { font-weight: 600; }
summary { cursor: pointer; color: var(--accent); font-size: 0.875rem; }
@media (max-width: 50rem) { body { display: block; } main { padding: 1rem; }
  nav { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line); } }
`;
