import { CriError } from '../../contracts/node/cri/index.ts';

/**
 * Returns the text of an error for events. The code `Unknown` has no meaning and is omitted, so the runtime's own error
 * comes first: `RegistryUnavailable: …`.
 *
 * Upstream: kubernetes/cri-client@v0.36.3 pkg/remote_image.go remoteImageService.pullImageV1
 */
export function errorText(error: unknown): string {
  if (error instanceof CriError && error.code === 'Unknown') return error.desc;
  return error instanceof Error ? error.message : String(error);
}
