import type { CertificateSigningRequest } from '#api/certificates/v1';
import { age, type Column, NONE, name, text } from './column.ts';
import { humanDuration } from './human-duration.ts';

/** The columns of a CertificateSigningRequest. */
export const certificateSigningRequestColumns: readonly Column<CertificateSigningRequest>[] = [
  name,
  age,
  text('SignerName', 'The signer that is asked.', ({ spec }) => spec?.signerName || NONE),
  text('Requestor', 'The user that asks.', ({ spec }) => spec?.username ?? ''),
  text('RequestedDuration', 'How long the certificate shall be valid.', ({ spec }) =>
    typeof spec?.expirationSeconds === 'number' ? humanDuration(spec.expirationSeconds * 1000) : NONE,
  ),
  text('Condition', 'What has become of the request.', condition),
];

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go extractCSRStatus */
function condition({ status }: CertificateSigningRequest): string {
  const has = (wanted: string): boolean => status?.conditions?.some(({ type }) => type === wanted) ?? false;
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${decision}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
}
