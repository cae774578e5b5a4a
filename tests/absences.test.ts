/** The invariants of ARCHITECTURE.md that say what is nowhere to be found. */

import { expect, it } from "vitest";
import { lineAt } from "./source-tree/files.ts";
import { sourcesOf } from "./source-tree/modules.ts";
import { packageNames } from "./source-tree/packages.ts";

type Absence = {
  readonly rule: string;
  /** Packages or folders below `packages/<name>/src` it does not hold for, with the reason. */
  readonly except: Readonly<Record<string, string>>;
  readonly imports?: RegExp;
  readonly code?: RegExp;
};

const CONSOLE = { console: "it is an application in a browser" };

const absences: readonly Absence[] = [
  {
    rule: "only the server, the client and the composition root know HTTP",
    except: {
      server: "it answers HTTP",
      client: "it asks over HTTP",
      console: "it is a page",
      "testing/fake-openai": "it stands in for a provider",
      "testing/test-host.ts": "it puts a Tracon on a socket",
      tracon: "it adapts to hosts",
    },
    imports: /^(node:https?|hono|@hono\/.*|undici)$/,
    code: /\bnew (Request|Response)\(/,
  },
  {
    rule: "only the store knows a database",
    except: { store: "it is the store" },
    imports: /^(node:sqlite|pg|kysely|better-sqlite3)(\/|$)/,
  },
  {
    rule: "only the providers import a vendor's package",
    except: { providers: "they are presets over them" },
    imports: /^@ai-sdk\/(?!provider$|provider-utils$)/,
  },
  {
    rule: "no package but the composition root imports the AI SDK itself",
    except: { testing: "its tests show that the SDK accepts what it makes" },
    imports: /^ai$/,
  },
  {
    rule: "nothing compiles text into code",
    except: {},
    code: /\beval\(|\bnew Function\(|\bvm\.run/,
  },
  {
    rule: "time comes from the clock that was passed in",
    except: {
      ...CONSOLE,
      store: "it measures its own waits, and stamps migrations before there is an engine",
      "engine/run/system-clock.ts": "it is the system's clock",
      "testing/fake-openai": "it stands in for a provider",
    },
    code: /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/,
  },
  {
    rule: "chance comes from the source that was passed in",
    except: {
      ...CONSOLE,
      tracon: "it passes the system's source in",
      client: "it spreads retries",
      "store/drivers": "it tells its connections apart",
      "testing/contracts": "it keeps the data of two tests apart",
    },
    code: /\bMath\.random\(|\brandomUUID\(/,
  },
  {
    rule: "the environment is read in one place",
    except: {
      tracon: "it is that place",
      "store/drivers": "workers inherit it",
      "testing/postgres": "it finds the server's programs",
      "testing/store-matrix": "it is told there which engines to test",
    },
    code: /\bprocess\.env\b/,
  },
  {
    rule: "a log is passed in, never the console",
    except: { "tracon/cli": "it talks to a terminal" },
    code: /\bconsole\.(log|info|warn|error|debug)\(/,
  },
];

/** Packages that compute and nothing else. */
const PURE = /^(zod|@noble\/hashes|@ai-sdk\/provider)(\/|$)/;

it.each(absences)("$rule", ({ except, imports, code }) => {
  const found = modulesBesides(Object.keys(except)).flatMap((module) => [
    ...module.imports
      .filter(({ specifier }) => imports?.test(specifier))
      .map(({ offset }) => `${module.path}:${lineAt(module.text, offset)}`),
    ...placesIn(withoutComments(module), code).map((line) => `${module.path}:${line}`),
  ]);

  expect(found).toEqual([]);
});

it("keeps no state in a module: nothing at the top level is reassigned", () => {
  const mutable = modulesBesides(["console", "tracon/cli/main.ts"]).flatMap(
    ({ path, text, syntax }) =>
      syntax.program.body
        .filter(
          (statement) => statement.type === "VariableDeclaration" && statement.kind !== "const",
        )
        .map(({ start }) => `${path}:${lineAt(text, start)}`),
  );

  expect(mutable).toEqual([]);
});

it("has a core that imports no module of Node and no other input or output", () => {
  const specifiers = new Set(
    sourcesOf("core").flatMap(({ imports }) => imports.map(({ specifier }) => specifier)),
  );

  const outside = [...specifiers].filter((specifier) => !specifier.startsWith("."));

  expect(outside.filter((specifier) => !PURE.test(specifier))).toEqual([]);
});

type Source = ReturnType<typeof sourcesOf>[number];

function modulesBesides(excepted: readonly string[]): readonly Source[] {
  return packageNames
    .flatMap((name) => sourcesOf(name))
    .filter(({ path }) => !excepted.some((it) => isInside(path, it)));
}

function isInside(path: string, exception: string): boolean {
  const [name, ...folders] = exception.split("/");
  return path.startsWith(["packages", name, "src", ...folders].join("/"));
}

/** The text with every comment blanked out, so that line numbers stay. */
function withoutComments({ text, syntax }: Source): string {
  let bare = text;
  for (const { start, end } of syntax.comments) {
    const blank = text.slice(start, end).replace(/[^\n]/g, " ");
    bare = bare.slice(0, start) + blank + bare.slice(end);
  }
  return bare;
}

function placesIn(text: string, pattern: RegExp | undefined): number[] {
  if (pattern === undefined) return [];
  return text.split("\n").flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));
}
