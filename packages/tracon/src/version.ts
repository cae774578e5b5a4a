import packageJson from "../package.json" with { type: "json" };

/** The version of this package, as the API and the command line report it. */
export const VERSION: string = packageJson.version;
