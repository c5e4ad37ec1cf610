import { deepEqual } from '../../../api/freeze.ts';
import type { CertificateRequest } from '../../../platform/x509/certificate-request.ts';
import { commonNameOf, ORGANIZATION, valuesOfType } from '../../../platform/x509/name.ts';

type Usages = readonly string[];

/**
 * Returns the reason why a kubelet does not request its client certificate like this; undefined if it does.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/certificates/helpers.go ValidateKubeletClientCSR
 */
export function clientProblem(request: CertificateRequest, usages: Usages): string | undefined {
  const { dns, email, ip, uri } = request.extensions.alternativeNames ?? NO_NAMES;
  if (!isOfNodes(request)) return 'subject organization is not system:nodes';
  if (dns.length > 0) return 'DNS subjectAltNames are not allowed';
  if (email.length > 0) return 'Email subjectAltNames are not allowed';
  if (ip.length > 0) return 'IP subjectAltNames are not allowed';
  if (uri.length > 0) return 'URI subjectAltNames are not allowed';
  if (!isNamedAfterNode(request)) return NOT_NAMED;
  return usagesProblem(usages, 'client auth');
}

/**
 * Returns the reason why a kubelet does not request its serving certificate like this; undefined if it does.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/certificates/helpers.go ValidateKubeletServingCSR
 */
export function servingProblem(request: CertificateRequest, usages: Usages): string | undefined {
  const { dns, email, ip, uri } = request.extensions.alternativeNames ?? NO_NAMES;
  if (!isOfNodes(request)) return 'subject organization is not system:nodes';
  if (dns.length + ip.length === 0) return 'DNS or IP subjectAltName is required';
  if (email.length > 0) return 'Email subjectAltNames are not allowed';
  if (uri.length > 0) return 'URI subjectAltNames are not allowed';
  const problem = usagesProblem(usages, 'server auth');
  if (problem !== undefined) return problem;
  return isNamedAfterNode(request) ? undefined : NOT_NAMED;
}

const NO_NAMES = { dns: [], email: [], ip: [], uri: [] } as const;
const NOT_NAMED = 'subject common name does not begin with system:node:';

const isOfNodes = ({ subject }: CertificateRequest): boolean =>
  deepEqual(valuesOfType(subject, ORGANIZATION), ['system:nodes']);

const isNamedAfterNode = ({ subject }: CertificateRequest): boolean =>
  commonNameOf(subject).startsWith('system:node:');

/** A key that is no RSA key cannot encipher other keys, so this usage is optional. */
function usagesProblem(usages: Usages, purpose: string): string | undefined {
  const required = ['digital signature', purpose];
  const all = [...required, 'key encipherment'].sort();
  const distinct = new Set(usages);
  const isComplete = required.every((usage) => distinct.has(usage));
  const isExact = [...distinct].every((usage) => all.includes(usage));
  return isComplete && isExact ? undefined : `usages did not match [${all.join(' ')}]`;
}
