import { type Der, objectIdentifier, TAG, valuesOf } from '../der.ts';
import { type Extensions, extensionsOf } from './extensions.ts';
import { fieldsOf } from './fields.ts';
import { type Name, parseName } from './name.ts';
import { pemBlocks } from './pem.ts';
import { checkSignature, type Signed } from './signature.ts';

/** A request for a certificate (PKCS #10). */
export interface CertificateRequest extends Signed {
  readonly subject: Name;
  /** The SubjectPublicKeyInfo, in DER. */
  readonly publicKey: Buffer;
  /** The extensions that the certificate should have. */
  readonly extensions: Extensions;
}

/** The attribute that holds extensions. RFC 2985, 5.4.2 */
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';

/**
 * Parses a certificate request from a PEM file.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/certificates/helpers.go ParseCSR
 *
 * Differs: if the structure is invalid, the message does not name the type and the field.
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
    const [info, algorithm, signature] = fieldsOf(request, [TAG.sequence, TAG.sequence, TAG.bitString]);
    const [, subject, publicKey] = fieldsOf(info, [TAG.integer, TAG.sequence, TAG.sequence]);
    const [, , , attributes] = valuesOf(info.content);
    return {
      subject: parseName(subject),
      publicKey: publicKey.whole,
      extensions: requestedExtensions(attributes ? valuesOf(attributes.content) : []),
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
export function checkRequest(request: CertificateRequest): void {
  checkSignature(request.publicKey, request, { allowsSha1: true });
}

function requestedExtensions(attributes: readonly Der[]): Extensions {
  for (const attribute of attributes) {
    const [type, values] = valuesOf(attribute.content);
    if (!type || !values || objectIdentifier(type) !== EXTENSION_REQUEST) continue;
    const [extensions] = valuesOf(values.content);
    if (extensions) return extensionsOf(extensions);
  }
  return {};
}
