import { CriError } from '../../contracts/node/cri/index.ts';

/**
 * An error as events show it. The code `Unknown` says nothing and is left out, so that a runtime's own word comes first:
 * `RegistryUnavailable: …`.
 *
 * Upstream: kubernetes/cri-client@v0.36.3 pkg/remote_image.go remoteImageService.pullImageV1
 */
export function errorText(error: unknown): string {
  if (error instanceof CriError && error.code === 'Unknown') return error.desc;
  return error instanceof Error ? error.message : String(error);
}
