/** What `GET /api/meta` says of a server. */
export type TraconMeta = {
  readonly version: string;
  /** Path prefix everything is served under, such as `/tracon`. */
  readonly prefix: string;
  readonly authentication: {
    readonly allowRemoteAccess: boolean;
    readonly requiresBearerToken: boolean;
    readonly requiresAuthorizationPolicy: boolean;
  };
  readonly storage: {
    /** Whether runs and definitions survive the process. */
    readonly persistent: boolean;
    readonly agentDefinitionStore: string;
    readonly runStore: string;
  };
  /** What the caller of this request may do. */
  readonly roles: {
    readonly canRead: boolean;
    readonly canOperate: boolean;
    readonly canAdminister: boolean;
  };
};
