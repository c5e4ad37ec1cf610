import type { Authentication, ClientCertificate } from '#given/13-access';

/** Returns the user of a client certificate: its common name, with its organizations as groups. */
export function userOfCertificate(
  certificate: ClientCertificate | undefined,
  nowMs: number,
): Authentication | undefined {
  if (!certificate) return undefined;
  const invalid = certificate.verify(nowMs);
  if (invalid !== undefined) return { rejected: [invalid] };
  const { commonName, organizations, uids, fingerprint } = certificate;
  if (commonName === '') return undefined;
  if (uids.length > 1) return { rejected: [`expected 1 UID, but found multiple: [${uids.join(' ')}]`] };
  const [uid] = uids;
  if (uid === '') return { rejected: ['UID cannot be an empty string'] };
  const user = {
    name: commonName,
    ...(uid === undefined ? {} : { uid }),
    groups: organizations,
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
  };
  return { user };
}
