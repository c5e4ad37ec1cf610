import { createHash } from '#platform/hash';
import type { ClientCertificate } from '../../contracts/access/index.ts';
import { type Certificate, parseCertificate } from '../../platform/x509/certificate.ts';
import { PURPOSE } from '../../platform/x509/extensions.ts';
import { commonNameOf, ORGANIZATION, valuesOfType } from '../../platform/x509/name.ts';
import { pemBlocks } from '../../platform/x509/pem.ts';
import { signatureProblem, verify } from '../../platform/x509/verify.ts';
import type { Peer } from '../../sim/index.ts';

/** The attribute for the uid of a user. */
const UID = '1.3.6.1.4.1.57683.2';

/**
 * The certificates of clients. Each is parsed once for each connection, and verified at each request: it can expire in
 * between.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/request/x509/x509.go Authenticator
 */
export class ClientCertificates {
  readonly #roots: readonly Certificate[];
  readonly #known = new WeakMap<Peer, ClientCertificate>();

  /** @param authorities - the certificates of the authorities, in PEM */
  constructor(authorities: string) {
    this.#roots = pemBlocks(authorities).map(({ bytes }) => parseCertificate(bytes));
  }

  /** Returns the certificate of a client; undefined if the client presented none. */
  of(peer: Peer): ClientCertificate | undefined {
    const known = this.#known.get(peer);
    if (known || peer.certificates.length === 0) return known;
    const certificate = clientCertificate(peer, this.#roots);
    this.#known.set(peer, certificate);
    return certificate;
  }
}

function clientCertificate({ certificates }: Peer, roots: readonly Certificate[]): ClientCertificate {
  const [der = new Uint8Array()] = certificates;
  const fingerprint = createHash('sha256').update(der).digest('hex');
  let chain: readonly Certificate[];
  try {
    chain = certificates.map(parseCertificate);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { commonName: '', organizations: [], uids: [], fingerprint, verify: () => error.message };
  }
  const [leaf, ...intermediates] = chain as [Certificate, ...Certificate[]];
  const checkedSignature = remembered();
  const { subject } = leaf;
  return {
    commonName: commonNameOf(subject),
    organizations: valuesOfType(subject, ORGANIZATION),
    uids: valuesOfType(subject, UID),
    fingerprint,
    verify(nowMs) {
      const purpose = PURPOSE.clientAuth;
      const problem = verify(leaf, { roots, intermediates, nowMs, purpose, checkedSignature });
      return problem && `verifying certificate ${identifierOf(leaf)} failed: ${problem}`;
    },
  };
}

/** Returns a function that checks each signature once: signatures do not expire. */
function remembered(): typeof signatureProblem {
  const known = new Map<Certificate, Map<Certificate, string | undefined>>();
  return (child, parent) => {
    const ofChild = known.get(child) ?? new Map<Certificate, string | undefined>();
    known.set(child, ofChild);
    if (!ofChild.has(parent)) ofChild.set(parent, signatureProblem(child, parent));
    return ofChild.get(parent);
  };
}

/** Upstream: certificateIdentifier, columnSeparatedHex */
function identifierOf({ serial, extensions: { subjectKeyId, authorityKeyId } }: Certificate): string {
  const hex = (bytes: Buffer | undefined): string =>
    (bytes?.toString('hex').toUpperCase().match(/../g) ?? []).join(':');
  return `SN=${serial}, SKID=${hex(subjectKeyId)}, AKID=${hex(authorityKeyId)}`;
}
