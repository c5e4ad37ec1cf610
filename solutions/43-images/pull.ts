/** Level 4 · Pull with each of them. */
import { type Credential, type cri, errorText, ImageError, imageMessages } from '#harness';

/** What to pull, and as whom. */
export interface PullRequest {
  readonly image: string;
  readonly credentials: readonly Credential[];
  readonly sandboxConfig: cri.PodSandboxConfig;
  readonly signal?: AbortSignal | undefined;
}

/** What was pulled, and the credential that did it; without one it was pulled anonymously. */
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
      failures.push(errorText(error));
    }
  }
  const [only = '', ...more] = new Set(failures);
  throw new Error(more.length === 0 ? only : `[${[only, ...more].join(', ')}]`);
}

export function pullError(image: string, text: string): ImageError {
  for (const [reason, message] of OWN_WORDS) {
    if (text.startsWith(reason)) return new ImageError(reason, message(image, text.slice(reason.length)));
  }
  return new ImageError('ErrImagePull', text);
}

const OWN_WORDS = [
  ['RegistryUnavailable', imageMessages.registryUnavailable],
  ['SignatureValidationFailed', imageMessages.signatureInvalid],
] as const;
