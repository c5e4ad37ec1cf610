import { describe, expect, test } from 'vitest';
import type { CertificateSigningRequest } from '../../api/objects.ts';
import { certificateSigningRequests } from '../../api/plain-resources.ts';
import { configMaps, pods } from '../../api/resource.ts';
import { samples } from '../kinds/samples.fixture.ts';
import { applying, ownersOf } from './apply.fixture.ts';
import { key, refusal } from './replicas.fixture.ts';

type Conditions = NonNullable<CertificateSigningRequest['status']['conditions']>;

/** Starts an apiserver with a certificate request by jane. */
async function asked(options: Parameters<typeof applying>[0] = {}) {
  const { server, later } = await applying(options);
  const { spec } = samples.CertificateSigningRequest as unknown as CertificateSigningRequest;
  const created = await server
    .as('jane')
    .create(
      certificateSigningRequests,
      { metadata: { name: 'jane', labels: { team: 'a' } }, spec },
      { fieldManager: 'jane' },
    );
  const with_ = (...conditions: Conditions) => ({ ...created, status: { conditions } });
  const newest = () => server.get(certificateSigningRequests, { name: 'jane' });
  return { server, later, created, with: with_, newest };
}

const APPROVED = { type: 'Approved', status: 'True', reason: 'Known' };
const DENIED = { type: 'Denied', status: 'True' };
const FAILED = { type: 'Failed', status: 'True' };
const REFUSED =
  '422 Invalid: CertificateSigningRequest.certificates.k8s.io "jane" is invalid: status.conditions';

describe('The approval of a CertificateSigningRequest', () => {
  test('sets the times of the condition', async () => {
    const { server, later, with: having } = await asked();
    await later(5);
    const { spec, status } = await server.updateApproval(having(APPROVED));
    expect(spec).toMatchObject({ username: 'jane', groups: ['system:authenticated'] });
    const now = '2024-04-17T00:00:05Z';
    expect(status).toEqual({ conditions: [{ ...APPROVED, lastUpdateTime: now, lastTransitionTime: now }] });
  });

  test('keeps times in the request, and the transition time of an unchanged condition', async () => {
    const { server, later, with: having, newest } = await asked();
    const lastUpdateTime = '2020-01-01T00:00:00Z';
    await server.updateApproval(having({ ...APPROVED, lastUpdateTime }));
    await later(5);
    const { resourceVersion: _, ...metadata } = (await newest()).metadata;
    const { status } = await server.updateApproval({
      ...having({ ...APPROVED, reason: 'Asked again' }),
      metadata,
    });
    expect(status.conditions).toEqual([
      {
        ...APPROVED,
        reason: 'Asked again',
        lastUpdateTime: '2024-04-17T00:00:05Z',
        lastTransitionTime: '2024-04-17T00:00:00Z',
      },
    ]);
  });

  test('accepts a patch and an apply', async () => {
    const { server } = await asked();
    const body = { status: { conditions: [APPROVED] } };
    const patch = { type: 'strategic', body } as const;
    const approval = { subresource: 'approval' } as const;
    const patched = await server.patch(certificateSigningRequests, { name: 'jane' }, patch, approval);
    expect(patched.status.conditions).toMatchObject([APPROVED]);
    const identity = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' };
    const config = { ...identity, metadata: { name: 'jane' }, status: { conditions: [FAILED] } };
    const applied = await server.patch(
      certificateSigningRequests,
      { name: 'jane' },
      { type: 'apply', body: config },
      { ...approval, fieldManager: 'me' },
    );
    expect(applied.status.conditions?.map(({ type }) => type)).toEqual(['Approved', 'Failed']);
  });

  test('changes only the conditions', async () => {
    const { server, created, with: having } = await asked();
    const { spec, status } = await server.updateApproval({
      ...having(APPROVED),
      spec: { ...created.spec, username: 'root' },
      status: { conditions: [APPROVED], certificate: 'YQ==' },
    });
    expect([spec, status.certificate]).toEqual([created.spec, undefined]);
  });

  test.each([
    [
      [APPROVED, DENIED],
      `${REFUSED}: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive`,
    ],
    [[APPROVED, APPROVED], `${REFUSED}[1].type: Duplicate value: "Approved"`],
    [
      [{ ...DENIED, status: 'False' }],
      `${REFUSED}[0].status: Unsupported value: "False": supported values: "True"`,
    ],
    [[{ type: '', status: 'True' }], `${REFUSED}[0].type: Required value`],
  ])('rejects %j', async (conditions, why) => {
    const { server, with: having } = await asked();
    expect(await refusal(server.updateApproval(having(...conditions)))).toBe(why);
  });

  test('accepts an empty status', async () => {
    const { server, with: having } = await asked();
    const { status: _, ...silent } = having();
    expect((await server.updateApproval(silent)).status).toEqual({});
    for (const body of [{ status: null }, { status: { conditions: null } }, { spec: null }]) {
      const patch = { type: 'merge', body } as const;
      const patched = await server.patch(certificateSigningRequests, { name: 'jane' }, patch, {
        subresource: 'approval',
      });
      expect(patched.status).toEqual({});
    }
  });

  test('cannot be removed', async () => {
    const { server, with: having, newest } = await asked();
    await server.updateApproval(having(APPROVED));
    const { metadata } = await newest();
    const forbidden = `${REFUSED}: Forbidden: updates may not remove a condition of type "Approved"`;
    expect(await refusal(server.updateApproval({ ...having(), metadata }))).toBe(forbidden);
    expect(await refusal(server.updateApproval({ ...having(DENIED), metadata }))).toBe(forbidden);
    expect(await refusal(server.updateStatus(certificateSigningRequests, { ...having(), metadata }))).toBe(
      forbidden,
    );
  });

  test('cannot be changed through the status', async () => {
    const { server, with: having, newest } = await asked();
    const { status } = await server.updateApproval(having(APPROVED));
    const { metadata } = await newest();
    const sent = { ...having({ ...APPROVED, reason: 'Mine' }, FAILED), metadata };
    const updated = await server.updateStatus(certificateSigningRequests, sent);
    const now = '2024-04-17T00:00:00Z';
    expect(updated.status.conditions).toEqual([
      ...(status.conditions ?? []),
      { ...FAILED, lastUpdateTime: now, lastTransitionTime: now },
    ]);
  });

  test('owns its conditions, a status write never does, and the spec has no owner', async () => {
    const { server, with: having, newest } = await asked({ trackOnCreate: true });
    expect(ownersOf(await newest())).toEqual({
      'jane Update': ['.metadata.labels', '.metadata.labels.team'],
    });
    const approved = await server.updateApproval(having(APPROVED), { fieldManager: 'kubectl' });
    const { 'kubectl Update /approval': owned } = ownersOf(approved);
    expect(owned).toContain('.status.conditions[type="Approved"].reason');
    const failed = { ...approved, status: { conditions: [...(approved.status.conditions ?? []), FAILED] } };
    await server.updateStatus(certificateSigningRequests, failed, { fieldManager: 'signer' });
    expect(Object.keys(ownersOf(await newest()))).toEqual(['jane Update', 'kubectl Update /approval']);
  });

  test('is not found for a missing request or another kind', async () => {
    const { server, with: having } = await asked();
    const other = { ...having(APPROVED), metadata: { name: 'joe' } };
    expect(await refusal(server.updateApproval(other))).toBe(
      '404 NotFound: certificatesigningrequests.certificates.k8s.io "joe" not found',
    );
    await server.create(configMaps, { metadata: key('a') });
    const patch = { type: 'merge', body: {} } as const;
    expect(await refusal(server.patch(configMaps, key('a'), patch, { subresource: 'approval' }))).toBe(
      '404 NotFound: the server could not find the requested resource',
    );
    expect(await refusal(server.patch(pods, key('a'), patch, { subresource: 'approval' }))).toMatch(/^404/);
  });
});

describe('A CertificateSigningRequest', () => {
  test('must contain a certificate request', async () => {
    const { server } = await asked();
    for (const spec of [undefined, {}]) {
      const request = { metadata: { name: 'joe' }, ...(spec && { spec }) };
      expect(await refusal(server.create(certificateSigningRequests, request as never))).toMatch(
        /^422 Invalid: .*spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST, spec.usages: Required value, spec.signerName: Required value/,
      );
    }
  });

  test('for the API server cannot be for the group system:masters', async () => {
    const { server, created } = await asked();
    const spec = { ...created.spec, request: MASTERS };
    const request = { metadata: { name: 'root' }, spec };
    expect(await refusal(server.create(certificateSigningRequests, request))).toBe(
      '403 Forbidden: certificatesigningrequests.certificates.k8s.io "root" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
    );
    const elsewhere = { ...request, spec: { ...spec, signerName: 'example.com/signer' } };
    expect((await server.create(certificateSigningRequests, elsewhere)).metadata.name).toBe('root');
  });
});

/** A request for `O=system:masters, CN=root`. */
const MASTERS = Buffer.from(
  [
    '-----BEGIN CERTIFICATE REQUEST-----',
    'MIGnMFsCAQAwKDEXMBUGA1UECgwOc3lzdGVtOm1hc3RlcnMxDTALBgNVBAMMBHJv',
    'b3QwKjAFBgMrZXADIQC82x9I4kZn3Qshggk7mTVltlk9usN/7jVYd54xT2WjTKAA',
    'MAUGAytlcANBAEP1Z+j8y1+j0Bmu/mZIC1cyCoJvfuY3kY2I9Jj0oGioySqn6DVq',
    'Y13nEe0PtqdXcT4G/nWHJ3hUEEO1cNnvzQs=',
    '-----END CERTIFICATE REQUEST-----',
  ].join('\n'),
).toString('base64');
