/** Level 4 · Pull with each of them. */
import { errorText, type PulledImage, type PullRequest } from '#given/43-images';
import type { cri } from '#harness';

export async function pullWithCredentials(
  images: cri.ImageService,
  request: PullRequest,
): Promise<PulledImage> {
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
