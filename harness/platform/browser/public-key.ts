import { ed25519 } from '@noble/curves/ed25519.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { type Der, objectIdentifier, TAG, valuesOf } from '../der.ts';
import type { PublicKey, PublicKeys } from '../types.ts';
import { ecKeyOf, isEcdsaSignature } from './signature/ecdsa.ts';
import { numberOf } from './signature/numbers.ts';
import { isPssSignature, isRsaSignature } from './signature/rsa.ts';

const HASHES = { sha1, sha256, sha384, sha512 } as const;

/** The length of a signature, in bytes. RFC 8032, 5.1.6 */
const ED25519_BYTES = 64;

/** Web Crypto would verify a signature too, but only asynchronously. */
export const publicKeyOf: PublicKeys['publicKeyOf'] = (der) => {
  try {
    const [info] = valuesOf(Buffer.from(der));
    const [algorithm, key] = info?.tag === TAG.sequence ? valuesOf(info.content) : [];
    if (algorithm?.tag !== TAG.sequence || key?.tag !== TAG.bitString) return undefined;
    const [identifier, parameters] = valuesOf(algorithm.content);
    if (identifier?.tag !== TAG.objectIdentifier) return undefined;
    // The first byte counts the unused bits: 0, since keys are whole bytes.
    return KEYS[objectIdentifier(identifier)]?.(key.content.subarray(1), parameters);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

type ReadKey = (key: Buffer, parameters: Der | undefined) => PublicKey | undefined;

const other: ReadKey = () => ({ type: 'other', verifies: () => false });

const KEYS: Readonly<Record<string, ReadKey>> = {
  '1.2.840.113549.1.1.1'(bytes) {
    const [pair] = valuesOf(bytes);
    const [n, e] = pair?.tag === TAG.sequence ? valuesOf(pair.content) : [];
    if (n?.tag !== TAG.integer || e?.tag !== TAG.integer) return undefined;
    const key = { n: numberOf(n.content), e: numberOf(e.content) };
    return {
      type: 'rsa',
      verifies: (signed, signature, { hash, pss }) =>
        hash !== undefined && (pss ? isPssSignature : isRsaSignature)(key, HASHES[hash], signed, signature),
    };
  },
  '1.2.840.10045.2.1'(bytes, parameters) {
    const key = parameters && ecKeyOf(objectIdentifier(parameters), bytes);
    return (
      key && {
        type: 'ec',
        verifies(signed, signature, { hash }) {
          return hash !== undefined && isEcdsaSignature(key, HASHES[hash](signed), signature);
        },
      }
    );
  },
  '1.3.101.112': (key) =>
    key.length === 32
      ? {
          type: 'ed25519',
          verifies: (signed, signature) =>
            signature.length === ED25519_BYTES && ed25519.verify(signature, signed, key, { zip215: false }),
        }
      : undefined,
  // X25519, X448, Ed448, DSA
  '1.3.101.110': other,
  '1.3.101.111': other,
  '1.3.101.113': other,
  '1.2.840.10040.4.1': other,
};
