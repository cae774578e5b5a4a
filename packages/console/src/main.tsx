import "./design/design.css";
import { createTraconClient } from "@tracon/client";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { createQueryCache } from "./app/query-cache.ts";
import { createConsoleRouter } from "./app/router.ts";
import type { Services } from "./app/services.tsx";
import { createThemeStore } from "./app/theme.ts";
import { createToastQueue } from "./app/toast-queue.ts";
import { createTokenDesk } from "./app/token-desk.ts";

// The server writes its prefix into <base>, so the same files work under any.
const prefix = new URL(document.baseURI).pathname.replace(/\/$/, "");
const desk = createTokenDesk(sessionStorage);

const services: Services = {
  api: createTraconClient({
    baseUrl: prefix,
    token: desk.token,
    onUnauthorized: desk.onUnauthorized,
  }),
  apiWith: (token) => createTraconClient({ baseUrl: prefix, token }),
  desk,
  toasts: createToastQueue(),
  theme: createThemeStore(document, localStorage),
};
const queryClient = createQueryCache();
const router = createConsoleRouter({ basepath: prefix === "" ? "/" : prefix });

const container = document.getElementById("console");
if (container === null) throw new Error("assertion failed: index.html has the container");
createRoot(container).render(<App services={services} queryClient={queryClient} router={router} />);
