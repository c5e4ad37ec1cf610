import type { CertificateSigningRequest } from '../../../api/objects.ts';
import { certificateSigningRequests } from '../../../api/plain-resources.ts';
import type { Component, ComponentContext } from '../../../contracts/component.ts';
import { type CertificateAuthority, certificatePem } from '../../../platform/x509/authority.ts';
import {
  type CertificateRequest,
  checkRequest,
  parseCertificateRequest,
} from '../../../platform/x509/certificate-request.ts';
import { type KeyUsage, PURPOSE } from '../../../platform/x509/extensions.ts';
import { certificateController, hasCondition, pemOfRequest } from './certificate-controller.ts';
import { clientProblem, servingProblem } from './kubelet-requests.ts';

const DAY_MS = 86_400_000;

/** The longest lifetime. Upstream: kube-controller-manager --cluster-signing-duration */
const LIFETIME_MS = 365 * DAY_MS;
const LIFETIME_MS_MIN = 600_000;

/** How far a certificate reaches back. A short one ends no earlier for it. */
const BACKDATE_MS = 300_000;
const SHORT_MS = 8 * 3_600_000;

/** Returns the reason why a signer does not sign a request; undefined if it does. */
type Problem = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** The signers of this controller. Upstream: getCSRVerificationFuncForSignerName */
const SIGNERS: Readonly<Record<string, Problem>> = {
  'kubernetes.io/kube-apiserver-client': (_, usages) => userProblem(usages),
  'kubernetes.io/kube-apiserver-client-kubelet': clientProblem,
  'kubernetes.io/kubelet-serving': servingProblem,
};

/**
 * Signs approved requests with the authority of the cluster: for clients of the API, and for kubelets. Other signers are
 * other programs.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/certificates/signer/signer.go signer.handle,
 * pkg/controller/certificates/authority/policies.go PermissiveSigningPolicy
 *
 * Differs: one controller has all signers, while upstream has a controller for each.
 */
export function certificateSigningController(authority: CertificateAuthority): Component {
  return certificateController(async (request, context) => {
    if (!hasCondition(request, 'Approved') || hasCondition(request, 'Failed')) return;
    const { signerName, usages = [] } = request.spec;
    const problemOf = Object.hasOwn(SIGNERS, signerName) ? SIGNERS[signerName] : undefined;
    if (!problemOf) return;
    const parsed = parseCertificateRequest(pemOfRequest(request));
    const problem = problemOf(parsed, usages);
    const { status } = request;
    const failed = {
      type: 'Failed',
      status: 'True',
      reason: 'SignerValidationFailure',
      message: problem ?? '',
    };
    const next =
      problem === undefined
        ? { ...status, certificate: inBase64(sign(authority, request, parsed, context)) }
        : { ...status, conditions: [...(status.conditions ?? []), failed] };
    const { signal } = context;
    await context.client.updateStatus(certificateSigningRequests, { ...request, status: next }, { signal });
  });
}

/** Upstream: validAPIServerClientUsages */
function userProblem(usages: readonly string[]): string | undefined {
  const others = ['digital signature', 'key encipherment'];
  const wrong = usages.find((usage) => usage !== 'client auth' && !others.includes(usage));
  if (wrong !== undefined) return `invalid usage for client certificate: ${wrong}`;
  return usages.includes('client auth')
    ? undefined
    : 'missing required usage for client certificate: client auth';
}

/** @returns the certificate, in PEM */
function sign(
  authority: CertificateAuthority,
  { spec: { expirationSeconds, usages = [] } }: CertificateSigningRequest,
  request: CertificateRequest,
  { clock, random }: ComponentContext,
): string {
  checkRequest(request);
  const nowMs = clock.now();
  const askedMs = expirationSeconds === undefined ? LIFETIME_MS : expirationSeconds * 1_000;
  const lifetimeMs = Math.max(LIFETIME_MS_MIN, Math.min(askedMs, LIFETIME_MS));
  const endMs = nowMs + lifetimeMs - (lifetimeMs < SHORT_MS ? 0 : BACKDATE_MS);
  const { notAfterMs } = authority.certificate;
  if (nowMs >= notAfterMs) throw new Error('refusing to sign a certificate that expired in the past');
  const { alternativeNames } = request.extensions;
  const der = authority.issue({
    subject: request.subject.attributes,
    publicKey: request.publicKey,
    serial: BigInt(`0x${random.uuid().replaceAll('-', '')}`),
    notBeforeMs: nowMs - BACKDATE_MS,
    notAfterMs: Math.min(endMs, notAfterMs),
    usages: KEY_USAGES.filter(([usage]) => usages.includes(usage)).map(([, keyUsage]) => keyUsage),
    purposes: PURPOSES.filter(([usage]) => usages.includes(usage)).map(([, purpose]) => purpose),
    ...(alternativeNames && { alternativeNames }),
  });
  return certificatePem(der);
}

/** The usages that the signers above accept. Upstream: keyUsageDict, extKeyUsageDict */
const KEY_USAGES: readonly (readonly [string, KeyUsage])[] = [
  ['digital signature', 'digitalSignature'],
  ['key encipherment', 'keyEncipherment'],
];
const PURPOSES: readonly (readonly [string, string])[] = [
  ['server auth', PURPOSE.serverAuth],
  ['client auth', PURPOSE.clientAuth],
];

const inBase64 = (text: string): string => Buffer.from(text).toString('base64');
