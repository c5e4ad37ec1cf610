/** Level 4 · Pull with each of them. */
import { cri, ImageError } from '#harness';
import type { Credential } from './keyring.ts';

/** What to pull, and as whom. */
export interface PullRequest {
  readonly image: string;
  readonly credentials: readonly Credential[];
  readonly sandboxConfig: cri.PodSandboxConfig;
  readonly signal?: AbortSignal | undefined;
}

/** What was pulled, and the credential that did it; without one it was pulled as nobody in particular. */
export interface Pulled {
  readonly imageRef: string;
  readonly credential?: Credential;
}

export async function pullWithCredentials(images: cri.ImageService, request: PullRequest): Promise<Pulled> {
  const { image, credentials, sandboxConfig, signal } = request;
  if (credentials.length === 0) {
    return { imageRef: await images.pullImage({ image }, undefined, sandboxConfig, signal) };
  }
  const failures: string[] = [];
  for (const credential of credentials) {
    const { username, password } = credential;
    try {
      const imageRef = await images.pullImage({ image }, { username, password }, sandboxConfig, signal);
      return { imageRef, credential };
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(textOf(error));
    }
  }
  const [only = '', ...more] = new Set(failures);
  throw new Error(more.length === 0 ? only : `[${[only, ...more].join(', ')}]`);
}

/** An error as events show it. A code that says nothing is left out, and so a runtime's own word comes first. */
export function textOf(error: unknown): string {
  if (error instanceof cri.CriError && error.code === 'Unknown') return error.desc;
  return error instanceof Error ? error.message : String(error);
}

export function pullError(image: string, text: string): ImageError {
  const told = (reason: 'RegistryUnavailable' | 'SignatureValidationFailed', why: string): ImageError =>
    new ImageError(reason, `image pull failed for ${image} because the ${why}${text.slice(reason.length)}`);
  if (text.startsWith('RegistryUnavailable')) return told('RegistryUnavailable', 'registry is unavailable');
  if (text.startsWith('SignatureValidationFailed')) {
    return told('SignatureValidationFailed', 'signature validation failed');
  }
  return new ImageError('ErrImagePull', text);
}
