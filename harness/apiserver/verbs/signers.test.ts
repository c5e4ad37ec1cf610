import { describe, expect, test } from 'vitest';
import { certificateSigningRequests } from '../../api/plain-resources.ts';
import { StatusError } from '../../api/status.ts';
import { COMMON_NAME } from '../../platform/x509/name.ts';
import { newRequest } from '../../platform/x509/requests.fixture.ts';
import { Simulation } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { inWords, scriptedAccess } from '../handler/scripted-access.fixture.ts';

const SIGNER = 'kubernetes.io/kube-apiserver-client';
const approved = { type: 'Approved', status: 'True', reason: 'ByTest', message: '' };

/** A request of a signer, and the user `jane`, who may do everything but these requests. */
async function requested(...forbidden: readonly string[]) {
  const { clock, random } = new Simulation({ seed: 1 });
  const { access } = scriptedAccess({ may: (attributes) => !forbidden.includes(inWords(attributes)) });
  const server = new ApiServer({ clock, random, access });
  const jane = server.authorized({ name: 'jane', groups: [] });
  const subject = [{ type: COMMON_NAME, value: 'jane' }];
  const created = await jane.create(certificateSigningRequests, {
    metadata: { name: 'jane' },
    spec: {
      signerName: SIGNER,
      usages: ['client auth'],
      request: Buffer.from(newRequest({ subject })).toString('base64'),
    },
  });
  return { jane, created };
}

const messageOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error) => (error instanceof StatusError ? error.status.message : String(error)),
  );

describe('A signer', () => {
  test('has its requests approved only by users who may approve for it', async () => {
    const all = [`approve signers /${SIGNER}`, 'approve signers /kubernetes.io/*'];
    for (const some of [[], all.slice(0, 1), all.slice(1)]) {
      const { jane, created } = await requested(...some);
      expect(await messageOf(jane.updateApproval({ ...created, status: { conditions: [approved] } }))).toBe(
        'no error',
      );
    }
    const { jane, created } = await requested(...all);
    const refusal = `certificatesigningrequests.certificates.k8s.io "jane" is forbidden: user not permitted to approve requests with signerName "${SIGNER}"`;
    const body = { status: { conditions: [approved] } };
    expect(await messageOf(jane.updateApproval({ ...created, ...body }))).toBe(refusal);
    const patch = { type: 'merge', body } as const;
    const options = { subresource: 'approval' } as const;
    expect(await messageOf(jane.patch(certificateSigningRequests, { name: 'jane' }, patch, options))).toBe(
      refusal,
    );
  });

  test('writes certificates and conditions; others may write the rest of the status', async () => {
    const { jane, created } = await requested(`sign signers /${SIGNER}`, 'sign signers /kubernetes.io/*');
    const failed = { ...approved, type: 'Failed' };
    const write = (status: object) => jane.updateStatus(certificateSigningRequests, { ...created, status });
    expect(await messageOf(write({ conditions: [failed] }))).toBe(
      `certificatesigningrequests.certificates.k8s.io "jane" is forbidden: user not permitted to sign requests with signerName "${SIGNER}"`,
    );
    expect(await messageOf(write({}))).toBe('no error');
  });
});
