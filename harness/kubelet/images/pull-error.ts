import { ImageError } from '../../contracts/node/image-manager.ts';
import { imageMessages } from './image-messages.ts';

const OWN_WORDS = [
  ['RegistryUnavailable', imageMessages.registryUnavailable],
  ['SignatureValidationFailed', imageMessages.signatureInvalid],
] as const;

/**
 * Returns the waiting reason for the error of a failed pull. If the text begins with `RegistryUnavailable` or
 * `SignatureValidationFailed`, this is the reason, and the message is `imageMessages.registryUnavailable` or
 * `signatureInvalid` with the rest of the text. Any other text becomes `ErrImagePull` unchanged.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_manager.go evalCRIPullErr
 */
export function pullError(image: string, text: string): ImageError {
  for (const [reason, message] of OWN_WORDS) {
    if (text.startsWith(reason)) return new ImageError(reason, message(image, text.slice(reason.length)));
  }
  return new ImageError('ErrImagePull', text);
}
