import { describe, expect, test } from 'vitest';
import { samples } from '../../apiserver/kinds/samples.fixture.ts';
import type { FuzzRequest } from './request.ts';
import { replay } from './run.ts';
import { Served } from './served.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const json = { 'Content-Type': 'application/json' };

/** Requests that once violated a law. */
const found: readonly (readonly [what: string, requests: readonly FuzzRequest[]])[] = [
  [
    'a CertificateSigningRequest without a request',
    [
      {
        method: 'POST',
        path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
        headers: json,
        body: '{"metadata":{"name":"a"},"spec":{"signerName":"kubernetes.io/kube-apiserver-client","usages":["client auth"]}}',
      },
    ],
  ],
  [
    'a null value in binaryData',
    [
      {
        method: 'POST',
        path: configMaps,
        headers: json,
        body: '{"metadata":{"name":"a"},"binaryData":{"c":null}}',
      },
    ],
  ],
  [
    'a resourceVersion that is not a number, in an update',
    [
      { method: 'POST', path: configMaps, headers: json, body: '{"metadata":{"name":"a"}}' },
      {
        method: 'PUT',
        path: `${configMaps}/a`,
        headers: json,
        body: '{"metadata":{"name":"a","resourceVersion":"x"}}',
      },
    ],
  ],
  [
    'a dry run of a binding',
    [
      {
        method: 'POST',
        path: pods,
        headers: json,
        body: '{"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i"}]}}',
      },
      {
        method: 'POST',
        path: `${pods}/a/binding?dryRun=All`,
        headers: json,
        body: '{"metadata":{"name":"a"},"target":{"name":"n"}}',
      },
    ],
  ],
  [
    'a null JSON patch operation, on an object of an unstored version',
    [
      {
        method: 'PATCH',
        path: '/apis/events.k8s.io/v1/namespaces/default/events/a',
        headers: { 'Content-Type': 'application/json-patch+json' },
        body: '[null,"x",{"op":"add","path":1}]',
      },
    ],
  ],
  [
    'a patch directive that is an object with its own toString',
    [
      { method: 'POST', path: configMaps, headers: json, body: '{"metadata":{"name":"a"}}' },
      {
        method: 'PATCH',
        path: `${configMaps}/a`,
        headers: { 'Content-Type': 'application/strategic-merge-patch+json' },
        body: '{"$patch":{"toString":"x"}}',
      },
    ],
  ],
  [
    'a grace period beyond the range of dates',
    [
      {
        method: 'POST',
        path: pods,
        headers: json,
        body: '{"metadata":{"name":"a"},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}}',
      },
      { method: 'DELETE', path: `${pods}/a?gracePeriodSeconds=9007199254740992`, headers: {} },
    ],
  ],
  [
    'a name with a slash, for a kind that accepts any name',
    [
      {
        method: 'POST',
        path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
        headers: json,
        body: JSON.stringify({
          metadata: { name: 'a/b' },
          spec: { ...(samples.CertificateSigningRequest?.spec as object) },
        }),
      },
    ],
  ],
  [
    'an apply without metadata, for a missing object',
    [
      {
        method: 'PATCH',
        path: `${configMaps}/a?fieldManager=a`,
        headers: { 'Content-Type': 'application/apply-patch+yaml' },
        body: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n',
      },
    ],
  ],
];

describe('a request that the fuzz found', () => {
  test('gets an answer that is not much longer than the request: a thousand controllers', async () => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'a', controller: true };
    const ownerReferences = Array.from({ length: 1_000 }, (_, i) => ({ ...owner, uid: `u${i}` }));
    const metadata = { name: 'a', ownerReferences };
    const served = await Served.start();
    const body = JSON.stringify({ metadata });
    const { status, text } = await served.send({ method: 'POST', path: configMaps, headers: json, body });
    expect(status).toBe(422);
    expect(text.length).toBeLessThan(30 * body.length);
  });

  test.each(found)('violates no law any more: %s', async (_, requests) => {
    expect(await replay(requests)).toBeUndefined();
  });
});
