import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { CertificateAuthority, certificatePem } from '../platform/x509/authority.ts';
import { type KeyUsage, PURPOSE } from '../platform/x509/extensions.ts';
import { type Attribute, COMMON_NAME, ORGANIZATION } from '../platform/x509/name.ts';
import { PrivateKey } from '../platform/x509/private-key.ts';

/** A certificate and its key, both in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** The certificate and the key of a TLS server, and the certificate of their authority, all in PEM. */
export interface ServingCertificate extends KeyPair {
  /** A client that trusts this authority also trusts the server. */
  readonly ca: string;
}

interface ServingOptions {
  /** The names and addresses of the server: `localhost`, `127.0.0.1`. */
  readonly hosts: readonly string[];
  /** The current time, in ms since 1970. */
  readonly nowMs: number;
  /** @defaultValue a new authority, whose key nobody keeps */
  readonly authority?: CertificateAuthority;
}

interface ClientOptions {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The current time, in ms since 1970. */
  readonly nowMs: number;
}

const DAY_MS = 86_400_000;
/** The tolerated delay of another clock. */
const SKEW_MS = 3_600_000;

/** Lifetimes. Upstream: kubernetes/kubernetes@v1.36.3 cmd/kubeadm/app/constants CertificateValidityPeriod, CACertificateValidityPeriod */
const YEAR_MS = 365 * DAY_MS;
const DECADE_MS = 10 * YEAR_MS;

const validFor = (nowMs: number, lifetimeMs: number) => ({
  notBeforeMs: nowMs - SKEW_MS,
  notAfterMs: nowMs + lifetimeMs,
});

const subjectOf = (commonName: string, organizations: readonly string[] = []): readonly Attribute[] => [
  ...organizations.map((value) => ({ type: ORGANIZATION, value })),
  { type: COMMON_NAME, value: commonName },
];

/** A number that no other certificate has: 20 bytes would be the most. */
const newSerial = (): bigint => BigInt(`0x${randomBytes(16).toString('hex')}`) + 1n;

const USAGES: readonly KeyUsage[] = ['digitalSignature', 'keyEncipherment'];

/** Creates an authority with a new key, for ten years. @param nowMs in ms since 1970 */
export function newAuthority(nowMs: number): CertificateAuthority {
  const template = { subject: subjectOf('kubernetes'), serial: newSerial(), ...validFor(nowMs, DECADE_MS) };
  return CertificateAuthority.create(template, PrivateKey.random());
}

/** Creates a certificate for a server on this machine. It is valid for a year. */
export function servingCertificate({
  hosts,
  nowMs,
  authority = newAuthority(nowMs),
}: ServingOptions): ServingCertificate {
  const ip = hosts.filter((host) => isIP(host)).map((host) => Buffer.from(ipaddr.parse(host).toByteArray()));
  const dns = hosts.filter((host) => !isIP(host));
  const key = PrivateKey.random();
  const der = authority.issue({
    subject: subjectOf('kube-apiserver'),
    publicKey: key.publicKey,
    serial: newSerial(),
    ...validFor(nowMs, YEAR_MS),
    usages: USAGES,
    purposes: [PURPOSE.serverAuth],
    alternativeNames: { dns, ip, email: [], uri: [] },
  });
  return { ca: authority.pem, cert: certificatePem(der), key: key.pem };
}

/** Creates a certificate for a client. It is valid for a year. */
export function clientCertificate(
  authority: CertificateAuthority,
  { commonName, organizations, nowMs }: ClientOptions,
): KeyPair {
  const key = PrivateKey.random();
  const der = authority.issue({
    subject: subjectOf(commonName, organizations),
    publicKey: key.publicKey,
    serial: newSerial(),
    ...validFor(nowMs, YEAR_MS),
    usages: USAGES,
    purposes: [PURPOSE.clientAuth],
  });
  return { cert: certificatePem(der), key: key.pem };
}
