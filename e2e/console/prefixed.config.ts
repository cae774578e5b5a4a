/** The same agents under a prefix of two segments. */

import config from "./tracon.config.ts";

export default { ...config, server: { prefix: "/ops/agents-of-ours" } };
