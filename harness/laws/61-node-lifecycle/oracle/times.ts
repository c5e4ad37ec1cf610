/**
 * The times of the promise, in virtual ms.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/config/v1alpha1/defaults.go
 * RecommendedDefaultNodeLifecycleControllerConfiguration
 */
export const GRACE_MS = 50_000;
/** As {@link GRACE_MS}, for a node that has never reported. */
export const STARTUP_GRACE_MS = 60_000;
/** The longest time until a controller notices a change. */
export const PERIOD_MS = 5_000;

/** Time from one `NoExecute` taint in a zone to the next. */
export const TAINT_EVERY_MS = 10_000;
/** As {@link TAINT_EVERY_MS}, in a large zone in which most nodes are not ready. */
export const SLOW_TAINT_EVERY_MS = 100_000;
/** A zone is large if it has more nodes than this. */
export const LARGE_ZONE = 50;
/** The share of nodes that are not ready, from which a zone is partially disrupted. */
export const UNHEALTHY_SHARE = 0.55;

/** The time for a few requests, a conflict and another attempt. */
export const REQUESTS_MS = 2_000;
