import { ImageError } from '../../contracts/node/image-manager.ts';
import { imageMessages } from './image-messages.ts';

const OWN_WORDS = [
  ['RegistryUnavailable', imageMessages.registryUnavailable],
  ['SignatureValidationFailed', imageMessages.signatureInvalid],
] as const;

/**
 * Why the container waits, from the text of a failed pull. A text that begins with `RegistryUnavailable` or
 * `SignatureValidationFailed` has that for its reason, and for its message `imageMessages.registryUnavailable` or
 * `signatureInvalid` with what follows that word. Every other text is `ErrImagePull`, as it is.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_manager.go evalCRIPullErr
 */
export function pullError(image: string, text: string): ImageError {
  for (const [reason, message] of OWN_WORDS) {
    if (text.startsWith(reason)) return new ImageError(reason, message(image, text.slice(reason.length)));
  }
  return new ImageError('ErrImagePull', text);
}
