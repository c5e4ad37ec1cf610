import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { namespaces, resources } from '../api/resource.ts';
import { ApiServer } from '../apiserver/apiserver.ts';
import { createHandler } from '../apiserver/handler/handler.ts';
import { runSecuredControllers } from '../cluster/controllers/index.ts';
import { createWholeCluster } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { Simulation, seededRandom } from '../sim/index.ts';
import { root } from '../workbook/sources.ts';
import {
  firstMissingEffects,
  inertKinds,
  missingEffect,
  missingEffects,
  tellingMissingEffects,
} from './inert-kinds.ts';

const { components } = (await import('#components')) as { readonly components: Components };

describe('A kind that no component acts on', () => {
  test('is watched by the garbage collector alone', async () => {
    const { cluster: whole } = await createWholeCluster({ components, nodes: 1, names: false });
    await using cluster = whole;
    runSecuredControllers(cluster);
    await cluster.runFor(5_000);
    const inert = resources.filter(({ kind }) => inertKinds.includes(kind)).map(({ plural }) => plural);
    expect(new Set(inert).size).toBe(inertKinds.length);
    const watches = cluster.trace.entries.filter(
      ({ verb, object = '' }) => verb === 'watch' && inert.includes(object),
    );
    expect(new Set(watches.map(({ actor }) => actor))).toEqual(new Set(['garbage-collector-controller']));
  });

  test('is reported once, when its first object is created', async () => {
    const { cluster: whole } = await createWholeCluster({ components, nodes: 1, names: false });
    await using cluster = whole;
    const told: string[] = [];
    tellingMissingEffects(cluster, (line) => told.push(line));
    const policies = resources.find(({ kind }) => kind === 'NetworkPolicy');
    if (!policies) throw new Error('Failed to find NetworkPolicies: they are not served.');
    for (const name of ['a', 'b']) {
      const metadata = { namespace: 'default', name };
      await cluster.admin.create(policies, { metadata, spec: { podSelector: {} } } as never);
    }
    expect(told).toEqual(['No component here enforces a NetworkPolicy (docs/limits.md).']);
  });

  test('is in the table of docs/limits.md', () => {
    const text = readFileSync(path.join(root, 'docs', 'limits.md'), 'utf8');
    const listed = [...text.matchAll(/^\| .* \| (No component here .*)\. \|$/gm)].map(
      ([, sentence]) => sentence,
    );
    expect(listed).toEqual(missingEffects);
  });

  test('causes one warning, for the first client that writes such an object', async () => {
    const server = new ApiServer({ clock: new Simulation().clock, random: seededRandom(1) });
    await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
    const handler = createHandler(server, { warningAbout: firstMissingEffects() });
    const collection = '/api/v1/namespaces/default/services';
    const send = async (method: string, at: string, body: object): Promise<string> => {
      const headers = { 'content-type': `application/${method === 'PATCH' ? 'merge-patch+json' : 'json'}` };
      const text = JSON.stringify(body);
      const response = await handler(
        new Request(`http://apiserver${collection}${at}`, { method, headers, body: text }),
      );
      return `${response.status} ${response.headers.get('warning') ?? ''}`;
    };
    const balanced = { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } };
    const warned = `299 - "${missingEffects.at(-1)} (docs/limits.md)"`;
    expect([
      await send('POST', '', { metadata: { name: 'plain' }, spec: { ports: [{ port: 80 }] } }),
      await send('POST', '?dryRun=All', { metadata: { name: 'tried' }, ...balanced }),
      await send('POST', '', { metadata: { name: 'Bad name' }, ...balanced }),
      await send('PATCH', '/plain', balanced),
      await send('POST', '', { metadata: { name: 'second' }, ...balanced }),
    ]).toEqual(['201 ', '201 ', '422 ', `200 ${warned}`, '201 ']);
  });

  test('has its own group: a custom resource with the same name of a kind may have a controller', () => {
    const policy = (apiVersion: string) => missingEffect({ apiVersion, kind: 'NetworkPolicy' });
    expect([policy('networking.k8s.io/v1'), policy('crd.projectcalico.org/v1')]).toEqual([
      'No component here enforces a NetworkPolicy',
      undefined,
    ]);
  });

  test('can depend on the object: only a Service of type LoadBalancer waits for an address', () => {
    const service = (type: string) =>
      missingEffect({ apiVersion: 'v1', kind: 'Service', spec: { type } } as never);
    expect([service('ClusterIP'), service('LoadBalancer')]).toEqual([
      undefined,
      expect.stringMatching('pending$'),
    ]);
  });
});
