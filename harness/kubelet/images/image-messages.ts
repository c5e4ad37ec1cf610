import { formatDuration } from '../../api/duration.ts';

/**
 * The texts of events and waiting messages about a container's image. Users search for them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_manager.go
 */
export const imageMessages = {
  /** Warning `InspectFailed`, and the waiting message. */
  invalidName: (image: string, why: string): string => `Failed to apply default image tag "${image}": ${why}`,
  /** Warning `InspectFailed`, and the waiting message. The quotes are empty because the image ID is not known yet. */
  inspectFailed: (why: string): string => `Failed to inspect image "": ${why}`,
  /** Warning `ErrImageNeverPull`, and the waiting message. */
  neverPull: (image: string): string => `Container image "${image}" is not present with pull policy of Never`,
  /** Normal `Pulled`. */
  present: (image: string): string =>
    `Container image "${image}" already present on machine and can be accessed by the pod`,
  /** Normal `BackOff`. The waiting message begins with it, followed by a colon and the previous error. */
  backOff: (image: string): string => `Back-off pulling image "${image}"`,
  /** Normal `Pulling`. */
  pulling: (image: string): string => `Pulling image "${image}"`,
  /** Normal `Pulled`. Both times in ms: of the pull itself, and since the event `Pulling`. */
  pulled: (
    image: string,
    pull: { readonly tookMs: number; readonly withWaitingMs: number; readonly sizeBytes: number },
  ): string =>
    `Successfully pulled image "${image}" in ${formatDuration(pull.tookMs)} ` +
    `(${formatDuration(pull.withWaitingMs)} including waiting). Image size: ${pull.sizeBytes} bytes.`,
  /** Warning `Failed`. */
  failed: (image: string, why: string): string => `Failed to pull image "${image}": ${why}`,
  /** The waiting message. `why`: the rest of the runtime's error after its name, including the colon; may be empty. */
  registryUnavailable: (image: string, why: string): string =>
    `image pull failed for ${image} because the registry is unavailable${why}`,
  /** The waiting message. `why`: the rest of the runtime's error after its name, including the colon; may be empty. */
  signatureInvalid: (image: string, why: string): string =>
    `image pull failed for ${image} because the signature validation failed${why}`,
  /** The waiting message when the intent of a pull cannot be recorded. */
  intentFailed: (image: string, why: string): string =>
    `Failed to record image pull intent for container image "${image}": ${why}`,
} as const;
