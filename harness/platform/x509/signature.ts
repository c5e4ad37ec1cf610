import { publicKeyOf } from '#platform/public-key';
import { type Der, objectIdentifier, valuesOf } from '../der.ts';
import type { SignatureOptions } from '../types.ts';

/** Bytes and their signature, as in a certificate or in a request for one. */
export interface Signed {
  /** The bytes that are signed. */
  readonly signed: Buffer;
  readonly algorithm: readonly Der[];
  readonly signature: Buffer;
}

/**
 * Checks that a key has signed the bytes.
 *
 * Upstream: checkSignature in Go's standard library, crypto/x509
 *
 * @param publicKey - a SubjectPublicKeyInfo (RFC 5280)
 * @throws RangeError when the key has not signed them, or when the algorithm is unknown or not allowed
 */
export function checkSignature(
  publicKey: Buffer,
  { signed, algorithm, signature }: Signed,
  { allowsSha1 }: { readonly allowsSha1: boolean },
): void {
  const known = algorithmOf(algorithm);
  const key = publicKeyOf(publicKey);
  if (!known || !key) throw new RangeError('x509: cannot verify signature: algorithm unimplemented');
  const { type, failure, ...options } = known;
  if (known.hash === 'sha1' && !allowsSha1) {
    const name = type === 'rsa' ? 'SHA1-RSA' : 'ECDSA-SHA1';
    throw new RangeError(`x509: cannot verify signature: insecure algorithm ${name}`);
  }
  if (key.type !== type) {
    const have = KEYS[key.type as KeyType]?.go ?? key.type;
    throw new RangeError(
      `x509: signature algorithm specifies an ${KEYS[type].name} public key, but have public key of type ${have}`,
    );
  }
  if (!key.verifies(signed, signature, options)) throw new RangeError(failure);
}

type KeyType = 'rsa' | 'ec' | 'ed25519';

const KEYS: { readonly [type in KeyType]: { readonly name: string; readonly go: string } } = {
  rsa: { name: 'RSA', go: '*rsa.PublicKey' },
  ec: { name: 'ECDSA', go: '*ecdsa.PublicKey' },
  ed25519: { name: 'Ed25519', go: 'ed25519.PublicKey' },
};

type Hash = NonNullable<SignatureOptions['hash']>;

interface Algorithm extends SignatureOptions {
  readonly type: KeyType;
  readonly failure: string;
}

const rsa = (hash: Hash, pss = false): Algorithm => ({
  type: 'rsa',
  hash,
  pss,
  failure: 'crypto/rsa: verification error',
});
const ecdsa = (hash: Hash): Algorithm => ({
  type: 'ec',
  hash,
  pss: false,
  failure: 'x509: ECDSA verification failure',
});

/** The signature algorithms by object identifier. Upstream: signatureAlgorithmDetails in Go's standard library, crypto/x509 */
const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  '1.2.840.113549.1.1.5': rsa('sha1'),
  '1.2.840.113549.1.1.11': rsa('sha256'),
  '1.2.840.113549.1.1.12': rsa('sha384'),
  '1.2.840.113549.1.1.13': rsa('sha512'),
  '1.2.840.10045.4.1': ecdsa('sha1'),
  '1.2.840.10045.4.3.2': ecdsa('sha256'),
  '1.2.840.10045.4.3.3': ecdsa('sha384'),
  '1.2.840.10045.4.3.4': ecdsa('sha512'),
  '1.3.101.112': {
    type: 'ed25519',
    hash: undefined,
    pss: false,
    failure: 'x509: Ed25519 verification failure',
  },
};

/** Its parameters name the hash. */
const RSA_PSS = '1.2.840.113549.1.1.10';

const PSS_HASHES: Readonly<Record<string, Hash>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** Upstream: getSignatureAlgorithmFromAI in Go's standard library, crypto/x509 */
function algorithmOf([identifier, parameters]: readonly Der[]): Algorithm | undefined {
  const name = identifier ? objectIdentifier(identifier) : '';
  if (name !== RSA_PSS) return ALGORITHMS[name];
  // RSASSA-PSS-params: the first field holds an algorithm, which starts with its identifier.
  const [hashAlgorithm] = parameters ? valuesOf(parameters.content) : [];
  const [algorithm] = hashAlgorithm ? valuesOf(hashAlgorithm.content) : [];
  const [hashIdentifier] = algorithm ? valuesOf(algorithm.content) : [];
  const hash = hashIdentifier && PSS_HASHES[objectIdentifier(hashIdentifier)];
  return hash && rsa(hash, true);
}
