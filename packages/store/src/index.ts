export type { MigrationStatus } from "./migrate.ts";
export {
  migrateStores,
  migrationStatus,
  type OpenStoresOptions,
  openStores,
} from "./open-stores.ts";
export { checkStoreUrl } from "./store-url.ts";
