import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { PublicKey, PublicKeys } from '../types.ts';

const TYPES: ReadonlySet<string | undefined> = new Set(['rsa', 'ec', 'ed25519']);

export const publicKeyOf: PublicKeys['publicKeyOf'] = (der) => {
  const key = keyOf(der);
  if (!key) return undefined;
  const type = key.asymmetricKeyType;
  return {
    type: TYPES.has(type) ? (type as PublicKey['type']) : 'other',
    verifies(signed, signature, { hash, pss }) {
      const padding = pss ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {};
      try {
        return verify(hash, signed, { key, ...padding }, signature);
      } catch {
        return false;
      }
    },
  };
};

function keyOf(der: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}
