import { publicKeyOf } from '#platform/public-key';
import { type Der, objectIdentifier, TAG, valuesOf } from '../../../platform/der.ts';
import type { SignatureOptions } from '../../../platform/types.ts';
import { pemBlocks } from './pem.ts';

/** The fields of a certificate request (PKCS #10) that the apiserver uses. */
export interface CertificateRequest {
  /** The groups of the subject: its organizations. */
  readonly organizations: readonly string[];
  readonly publicKey: Buffer;
  /** The bytes that the key of the request signs. */
  readonly signed: Buffer;
  readonly algorithm: readonly Der[];
  readonly signature: Buffer;
}

/**
 * Parses a certificate request from a PEM file.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/certificates/helpers.go ParseCSR
 *
 * Differs: of the requested names and attributes only the organizations are parsed. If the structure is invalid, the
 * message does not name the type and the field.
 *
 * @throws RangeError when the text is not a certificate request
 */
export function parseCertificateRequest(pem: string): CertificateRequest {
  const [block] = pemBlocks(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') {
    throw new RangeError('PEM block type must be CERTIFICATE REQUEST');
  }
  try {
    const [request, ...more] = valuesOf(block.bytes);
    if (!request) throw new RangeError('syntax error: data truncated');
    if (more.length > 0) throw new RangeError('syntax error: trailing data');
    const [info, algorithm, signature] = sequence(request, [TAG.sequence, TAG.sequence, TAG.bitString]);
    const [, subject, publicKey] = sequence(info, [TAG.integer, TAG.sequence, TAG.sequence]);
    return {
      organizations: organizationsOf(subject),
      publicKey: publicKey.whole,
      signed: info.whole,
      algorithm: valuesOf(algorithm.content),
      // The first byte counts the unused bits: 0, since signatures are whole bytes.
      signature: signature.content.subarray(1),
    };
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`asn1: ${error.message}`) : error;
  }
}

/**
 * Checks that the request is signed with its own key.
 *
 * Upstream: CertificateRequest.CheckSignature in Go's standard library, crypto/x509
 *
 * @throws RangeError when it is not, or when the algorithm is unknown
 */
export function checkSignature({ publicKey, signed, algorithm, signature }: CertificateRequest): void {
  const known = algorithmOf(algorithm);
  const key = publicKeyOf(publicKey);
  if (!known || !key) throw new RangeError('x509: cannot verify signature: algorithm unimplemented');
  const { type, failure, ...options } = known;
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

/** Returns the values in a sequence; the first ones must have these tags. */
function sequence<const T extends readonly number[]>(
  { tag, content }: Der,
  tags: T,
): { readonly [at in keyof T]: Der } {
  const values = tag === TAG.sequence ? valuesOf(content) : [];
  if (tags.some((expected, i) => values[i]?.tag !== expected)) {
    throw new RangeError("structure error: tags don't match");
  }
  return values as unknown as { readonly [at in keyof T]: Der };
}

/** Returns the organizations of a name: a sequence of sets of attributes, each with a type and a value. */
function organizationsOf(name: Der): string[] {
  const attributes = valuesOf(name.content).flatMap(({ content }) => valuesOf(content));
  return attributes.flatMap(({ content }) => {
    const [type, value] = valuesOf(content);
    return type && value && objectIdentifier(type) === ORGANIZATION ? [value.content.toString('utf8')] : [];
  });
}

const ORGANIZATION = '2.5.4.10';
