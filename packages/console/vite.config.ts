import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `vite` (the development server) finds the API; a running `tracon serve` by default. */
const DEVELOPMENT_API = "http://127.0.0.1:7717";

export default defineConfig(({ command }) => ({
  // Relative addresses: the server decides the prefix when it answers index.html.
  base: command === "serve" ? "/tracon/" : "./",
  plugins: [react(), tailwind()],
  resolve: {
    conditions: ["@tracon/source", "module", "browser", "development|production"],
  },
  server: { proxy: { "/tracon/api": DEVELOPMENT_API } },
  build: {
    target: "es2024",
    // Keeps `light-dark()` as it is instead of compiling each colour into two variables.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // Data addresses would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
}));
