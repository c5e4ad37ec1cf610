import { CertificateAuthority, type Template } from './authority.ts';
import { PURPOSE } from './extensions.ts';
import { COMMON_NAME, ORGANIZATION } from './name.ts';
import { PrivateKey } from './private-key.ts';

/** The time of all certificates. */
export const nowMs = Date.UTC(2026, 10, 28, 12);

const validity = { notBeforeMs: nowMs - 60_000, notAfterMs: nowMs + 60_000 };
const key = PrivateKey.random();

/** Creates an authority of this name. */
export const newAuthority = (commonName: string, changes: Partial<Template> = {}): CertificateAuthority =>
  CertificateAuthority.create(
    { subject: [{ type: COMMON_NAME, value: commonName }], serial: 1n, ...validity, ...changes },
    PrivateKey.random(),
  );

export const authority = newAuthority('kubernetes');

/** Issues the certificate of the client `jane` in the groups `dev` and `ops`. */
export function leaf(changes: Partial<Template> = {}, issuer = authority): Buffer {
  return issuer.issue({
    subject: [
      { type: ORGANIZATION, value: 'dev' },
      { type: ORGANIZATION, value: 'ops' },
      { type: COMMON_NAME, value: 'jane' },
    ],
    publicKey: key.publicKey,
    serial: 7n,
    ...validity,
    usages: ['digitalSignature', 'keyEncipherment'],
    purposes: [PURPOSE.clientAuth],
    ...changes,
  });
}
