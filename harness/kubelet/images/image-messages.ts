import { formatDuration } from '../../api/duration.ts';

/**
 * The words of events and waiting messages about a container's image, as people search for them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_manager.go
 */
export const imageMessages = {
  /** Warning `InspectFailed`, and why the container waits. */
  invalidName: (image: string, why: string): string => `Failed to apply default image tag "${image}": ${why}`,
  /** Warning `InspectFailed`, and why the container waits. What stands between the quotes is an id that is not known yet. */
  inspectFailed: (why: string): string => `Failed to inspect image "": ${why}`,
  /** Warning `ErrImageNeverPull`, and why the container waits. */
  neverPull: (image: string): string => `Container image "${image}" is not present with pull policy of Never`,
  /** Normal `Pulled`. */
  present: (image: string): string =>
    `Container image "${image}" already present on machine and can be accessed by the pod`,
  /** Normal `BackOff`. Why the container waits begins with it, and says the failure before after a colon. */
  backOff: (image: string): string => `Back-off pulling image "${image}"`,
  /** Normal `Pulling`. */
  pulling: (image: string): string => `Pulling image "${image}"`,
  /** Normal `Pulled`. Both times in ms: of the pull itself, and from the event `Pulling` on. */
  pulled: (
    image: string,
    pull: { readonly tookMs: number; readonly withWaitingMs: number; readonly sizeBytes: number },
  ): string =>
    `Successfully pulled image "${image}" in ${formatDuration(pull.tookMs)} ` +
    `(${formatDuration(pull.withWaitingMs)} including waiting). Image size: ${pull.sizeBytes} bytes.`,
  /** Warning `Failed`. */
  failed: (image: string, why: string): string => `Failed to pull image "${image}": ${why}`,
  /** Why the container waits. `why`: what follows the runtime's word, with its colon; or nothing. */
  registryUnavailable: (image: string, why: string): string =>
    `image pull failed for ${image} because the registry is unavailable${why}`,
  /** Why the container waits. `why`: what follows the runtime's word, with its colon; or nothing. */
  signatureInvalid: (image: string, why: string): string =>
    `image pull failed for ${image} because the signature validation failed${why}`,
  /** Why the container waits when a pull cannot be written down. */
  intentFailed: (image: string, why: string): string =>
    `Failed to record image pull intent for container image "${image}": ${why}`,
} as const;
