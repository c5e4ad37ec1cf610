import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

interface CertificateOptions {
  /** The names and addresses of the server: `localhost`, `127.0.0.1`. */
  readonly hosts: readonly string[];
  /** The current time, in ms since 1970. */
  readonly nowMs: number;
}

/** The certificates and the key of a TLS server and its clients, all in PEM. */
export interface ServingCertificate {
  /** The certificate of the authority. A client that trusts it also trusts the server. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
/** The tolerated delay of a client's clock. */
const SKEW_MS = 3_600_000;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * Creates a certificate for a server on this machine, signed by a new authority. The key of the authority is discarded,
 * so it signs nothing else. Both certificates are valid for a year. (The library stores ASN.1 information as metadata,
 * so it needs `reflect-metadata`.)
 */
export async function servingCertificate({ hosts, nowMs }: CertificateOptions): Promise<ServingCertificate> {
  const [authority, server] = await Promise.all([newKeys(), newKeys()]);
  const validity = { notBefore: new Date(nowMs - SKEW_MS), notAfter: new Date(nowMs + 365 * DAY_MS) };
  const common = { ...validity, signingAlgorithm: algorithm, signingKey: authority.privateKey };
  const issuer = 'CN=kubernetes';
  const ca = await X509CertificateGenerator.create({
    ...common,
    subject: issuer,
    issuer,
    publicKey: authority.publicKey,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature, true),
    ],
  });
  const cert = await X509CertificateGenerator.create({
    ...common,
    subject: 'CN=kube-apiserver',
    issuer,
    publicKey: server.publicKey,
    extensions: servingExtensions(hosts),
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', server.privateKey);
  return { ca: ca.toString('pem'), cert: cert.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') };
}

function servingExtensions(hosts: readonly string[]): Extension[] {
  const names = hosts.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value }));
  return [
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    new SubjectAlternativeNameExtension(names),
  ];
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}
