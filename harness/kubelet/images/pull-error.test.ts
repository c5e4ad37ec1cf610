import { describe, expect, test } from 'vitest';
import { pullError } from './pull-error.ts';

describe('pullError', () => {
  test.each([
    ['no such host', 'ErrImagePull', 'no such host'],
    [
      'RegistryUnavailable: try later',
      'RegistryUnavailable',
      'image pull failed for web because the registry is unavailable: try later',
    ],
    [
      'RegistryUnavailable',
      'RegistryUnavailable',
      'image pull failed for web because the registry is unavailable',
    ],
    [
      'SignatureValidationFailed: no signature',
      'SignatureValidationFailed',
      'image pull failed for web because the signature validation failed: no signature',
    ],
    ['it says RegistryUnavailable', 'ErrImagePull', 'it says RegistryUnavailable'],
  ])('maps %j to the waiting reason %s', (text, reason, message) => {
    expect(pullError('web', text)).toMatchObject({ name: 'ImageError', reason, message });
  });
});
