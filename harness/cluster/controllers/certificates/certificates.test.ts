import { describe, expect, test } from 'vitest';
import type { CertificateSigningRequest, New } from '../../../api/objects.ts';
import { certificateSigningRequests, clusterRoleBindings } from '../../../api/plain-resources.ts';
import type { Components } from '../../../contracts/component.ts';
import { CertificateAuthority, type Template } from '../../../platform/x509/authority.ts';
import { type Certificate, parseCertificate } from '../../../platform/x509/certificate.ts';
import { PURPOSE } from '../../../platform/x509/extensions.ts';
import { COMMON_NAME, commonNameOf, ORGANIZATION, valuesOfType } from '../../../platform/x509/name.ts';
import { pemBlocks } from '../../../platform/x509/pem.ts';
import { PrivateKey } from '../../../platform/x509/private-key.ts';
import { newRequest } from '../../../platform/x509/requests.fixture.ts';
import { verify } from '../../../platform/x509/verify.ts';
import { type Cluster, createCluster } from '../../cluster.ts';
import { runCertificateControllers } from './index.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const startMs = Date.UTC(2026, 10, 28);
const YEAR_MS = 365 * 86_400_000;
const validity = { notBeforeMs: startMs - 3_600_000, notAfterMs: startMs + 10 * YEAR_MS };
const authority = CertificateAuthority.create(
  { subject: [{ type: COMMON_NAME, value: 'kubernetes' }], serial: 1n, ...validity },
  PrivateKey.random(),
);

interface Asked {
  readonly signer?: string;
  readonly usages?: readonly string[];
  readonly subject?: Template['subject'];
  readonly dns?: readonly string[];
  readonly expirationSeconds?: number;
}

const jane = [
  { type: ORGANIZATION, value: 'dev' },
  { type: COMMON_NAME, value: 'jane' },
];
const node = [
  { type: ORGANIZATION, value: 'system:nodes' },
  { type: COMMON_NAME, value: 'system:node:node-1' },
];

const object = ({
  signer = 'kubernetes.io/kube-apiserver-client',
  usages = ['client auth'],
  subject = jane,
  dns = [],
  expirationSeconds,
}: Asked): New<CertificateSigningRequest> => ({
  metadata: { name: 'request' },
  spec: {
    signerName: signer,
    usages: [...usages],
    request: Buffer.from(newRequest({ subject, dns })).toString('base64'),
    ...(expirationSeconds !== undefined && { expirationSeconds }),
  },
});

async function running(): Promise<Cluster> {
  const cluster = await createCluster({
    components,
    access: components.access,
    postStartHooks: true,
    startMs,
  });
  runCertificateControllers(cluster, authority);
  await cluster.runFor(1_000);
  return cluster;
}

const key = { name: 'request' };
const read = ({ admin }: Cluster) => admin.get(certificateSigningRequests, key);

/** Creates a request, approves it, and returns it as it is afterwards. */
async function approved(cluster: Cluster, asked: Asked = {}): Promise<CertificateSigningRequest> {
  const { admin } = cluster;
  const created = await admin.create(certificateSigningRequests, object(asked));
  const conditions = [{ type: 'Approved', status: 'True', reason: 'ByTest', message: '' }];
  await admin.updateApproval({ ...created, status: { conditions } });
  await cluster.runFor(1_000);
  return read(cluster);
}

function certificateIn({ status }: CertificateSigningRequest): Certificate {
  const [block] = pemBlocks(Buffer.from(status.certificate ?? '', 'base64').toString());
  if (!block) throw new Error(`no certificate in ${JSON.stringify(status)}`);
  return parseCertificate(block.bytes);
}

describe('A request for a certificate', () => {
  test('gets one once it is approved', async () => {
    await using cluster = await running();
    await cluster.admin.create(certificateSigningRequests, object({}));
    await cluster.runFor(60_000);
    expect((await read(cluster)).status).toEqual({});
    await cluster.admin.delete(certificateSigningRequests, key);

    const certificate = certificateIn(await approved(cluster));
    const options = { roots: [authority.certificate], intermediates: [], purpose: PURPOSE.clientAuth };
    expect(verify(certificate, { ...options, nowMs: startMs })).toBeUndefined();
    expect(commonNameOf(certificate.subject)).toBe('jane');
    expect(valuesOfType(certificate.subject, ORGANIZATION)).toEqual(['dev']);
    expect(certificate.extensions.basicConstraints).toEqual({ isCa: false });
  });

  test.each([
    [undefined, YEAR_MS - 300_000],
    [86_400, 86_400_000 - 300_000],
    [3_600, 3_600_000],
    [2 * 365 * 86_400, YEAR_MS - 300_000],
  ])('for %s seconds gets a certificate that ends after %d ms', async (expirationSeconds, lifetimeMs) => {
    await using cluster = await running();
    const asked = expirationSeconds === undefined ? {} : { expirationSeconds };
    const { notBeforeMs, notAfterMs } = certificateIn(await approved(cluster, asked));
    // The controller signs within the second after the start, give or take the latency.
    const signedMs = notBeforeMs + 300_000;
    expect(signedMs - startMs).toBeGreaterThanOrEqual(1_000);
    expect(signedMs - startMs).toBeLessThan(2_000);
    expect(notAfterMs - signedMs).toBe(lifetimeMs);
  });

  test.each([
    [{ usages: ['client auth', 'server auth'] }, 'invalid usage for client certificate: server auth'],
    [{ usages: ['digital signature'] }, 'missing required usage for client certificate: client auth'],
    [
      {
        signer: 'kubernetes.io/kubelet-serving',
        subject: node,
        usages: ['digital signature', 'server auth'],
      },
      'DNS or IP subjectAltName is required',
    ],
    [
      { signer: 'kubernetes.io/kubelet-serving', subject: jane, usages: ['server auth'] },
      'subject organization is not system:nodes',
    ],
    [
      { signer: 'kubernetes.io/kube-apiserver-client-kubelet', subject: node, usages: ['client auth'] },
      'usages did not match [client auth digital signature key encipherment]',
    ],
  ])('fails if its signer does not sign the like: %j', async (asked, message) => {
    await using cluster = await running();
    const { status } = await approved(cluster, asked);
    expect(status.certificate).toBeUndefined();
    expect(status.conditions?.at(-1)).toMatchObject({
      type: 'Failed',
      reason: 'SignerValidationFailure',
      message,
    });
  });

  test('of another signer waits for that signer', async () => {
    await using cluster = await running();
    const { status } = await approved(cluster, { signer: 'example.com/signer' });
    expect(status.conditions?.map(({ type }) => type)).toEqual(['Approved']);
    expect(status.certificate).toBeUndefined();
  });

  test('of a kubelet for its serving certificate keeps the names', async () => {
    await using cluster = await running();
    const usages = ['digital signature', 'server auth'];
    const asked = { signer: 'kubernetes.io/kubelet-serving', subject: node, usages, dns: ['node-1'] };
    const { extensions } = certificateIn(await approved(cluster, asked));
    expect(extensions.alternativeNames?.dns).toEqual(['node-1']);
    expect(extensions.purposes).toEqual([PURPOSE.serverAuth]);
  });

  test('of a kubelet for its client certificate is approved if a role says so', async () => {
    await using cluster = await running();
    const asked = {
      signer: 'kubernetes.io/kube-apiserver-client-kubelet',
      subject: node,
      usages: ['digital signature', 'client auth'],
    };
    const kubelet = cluster.connect('system:node:node-1');
    const send = () => cluster.settle(kubelet.create(certificateSigningRequests, object(asked)));
    await send();
    await cluster.runFor(10_000);
    expect((await read(cluster)).status).toEqual({});
    const RBAC = 'rbac.authorization.k8s.io';
    await cluster.admin.create(clusterRoleBindings, {
      metadata: { name: 'autoapprove' },
      roleRef: {
        apiGroup: RBAC,
        kind: 'ClusterRole',
        name: 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
      },
      subjects: [{ apiGroup: RBAC, kind: 'Group', name: 'system:nodes' }],
    });
    await cluster.runFor(60_000);
    const { spec, status } = await read(cluster);
    expect(spec).toMatchObject({ username: 'system:node:node-1' });
    expect(status.conditions).toMatchObject([
      {
        reason: 'AutoApproved',
        message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
      },
    ]);
    expect(commonNameOf(certificateIn({ spec, status } as CertificateSigningRequest).subject)).toBe(
      'system:node:node-1',
    );
  });

  test('gets the same certificate in each run with the same seed', async () => {
    const run = async () => {
      await using cluster = await running();
      return (await approved(cluster)).status.certificate;
    };
    expect(await run()).toBe(await run());
  });
});
