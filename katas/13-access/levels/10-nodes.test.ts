import { describe, expect, test } from 'vitest';
import type { Attributes, Decision, PodReferences } from '#given/13-access';
import type { KubeObject, ObjectCache, Pod } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import { authorizeNode } from '#kata/13-access/access';
import { about, aboutPath, cacheOf, stored, user } from './objects.fixture.ts';

const node = user('system:node:node-1', 'system:nodes', 'system:authenticated');

type Names = Partial<Record<keyof PodReferences, readonly string[]>> & { readonly account?: string };

/** A pod on a node that uses these objects. */
const pod = (
  nodeName: string,
  name: string,
  { account, secrets = [], configMaps = [], claims = [], resourceClaims = [] }: Names = {},
  metadata: Partial<KubeObject['metadata']> = {},
): Pod =>
  stored(
    'Pod',
    { namespace: 'ns0', name, ...metadata },
    {
      spec: {
        ...(nodeName ? { nodeName } : {}),
        ...(account ? { serviceAccountName: account } : {}),
        containers: [],
        volumes: [
          ...secrets.map((secretName) => ({ name: secretName, secret: { secretName } })),
          ...configMaps.map((each) => ({ name: each, configMap: { name: each } })),
          ...claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
        ],
        resourceClaims: resourceClaims.map((each) => ({ name: each, resourceClaimName: each })),
      },
    },
  );

const volume = (name: string, claim: string, secret?: string): KubeObject =>
  stored(
    'PersistentVolume',
    { name },
    {
      spec: {
        claimRef: { namespace: 'ns0', name: claim },
        ...(secret
          ? {
              csi: {
                driver: 'd',
                volumeHandle: 'h',
                nodePublishSecretRef: { namespace: 'ns0', name: secret },
              },
            }
          : {}),
      },
    },
  );

const decide = (
  asked: Partial<Attributes> & { resource: string },
  ...objects: readonly KubeObject[]
): Decision => authorizeNode(about(node, { verb: 'get', namespace: 'ns0', ...asked }), cacheOf(...objects));

const allow = { verdict: 'allow' };
const unrelated = {
  verdict: 'no opinion',
  reason: "no relationship found between node 'node-1' and this object",
};

describe('Level 10 ★ · Nodes', () => {
  test('are users in system:nodes; the authorizer has no opinion about others', () => {
    for (const other of [user('jane', 'system:nodes'), user('system:node:node-1')]) {
      const asked = about(other, { verb: 'get', resource: 'nodes', name: 'node-1' });
      expect(authorizeNode(asked, cacheOf()), JSON.stringify(other)).toEqual({ verdict: 'no opinion' });
    }
    const nameless = about(user('system:node:', 'system:nodes'), { verb: 'get', resource: 'nodes' });
    expect(authorizeNode(nameless, cacheOf()).reason).toBe('unknown node for user "system:node:"');
  });

  test('read a secret that a pod on them uses', () => {
    const secret = { resource: 'secrets', name: 's' };
    expect(decide(secret, pod('node-1', 'web', { secrets: ['s'] }))).toEqual(allow);
    expect(decide(secret, pod('node-2', 'web', { secrets: ['s'] })), 'a pod of another node').toEqual(
      unrelated,
    );
    expect(decide(secret, pod('', 'web', { secrets: ['s'] })), 'a pod without a node').toEqual(unrelated);
    expect(
      decide({ ...secret, namespace: 'ns1' }, pod('node-1', 'web', { secrets: ['s'] })),
      'a secret of another namespace',
    ).toEqual(unrelated);
    expect(decide({ resource: 'secrets' }, pod('node-1', 'web', { secrets: ['s'] })), 'all secrets').toEqual({
      verdict: 'no opinion',
      reason: 'No Object name found',
    });
  });

  test('read the volume of a claim of a pod, and its secret', () => {
    const objects = [pod('node-1', 'web', { claims: ['c'] }), volume('v', 'c', 's')];
    expect(decide({ resource: 'persistentvolumeclaims', name: 'c' }, ...objects)).toEqual(allow);
    expect(decide({ resource: 'persistentvolumes', namespace: '', name: 'v' }, ...objects)).toEqual(allow);
    expect(decide({ resource: 'secrets', name: 's' }, ...objects)).toEqual(allow);
    expect(
      decide({ resource: 'persistentvolumeclaims', namespace: '', name: 'c' }, ...objects),
      'a claim in no namespace',
    ).toEqual(unrelated);
    const other = [pod('node-2', 'web', { claims: ['c'] }), volume('v', 'c', 's')];
    expect(decide({ resource: 'secrets', name: 's' }, ...other)).toEqual(unrelated);
  });

  test('get nothing through a mirror pod, which they create themselves', () => {
    const annotations = { 'kubernetes.io/config.mirror': 'hash' };
    const mirror = pod('node-1', 'web', { secrets: ['s'] }, { annotations });
    expect(decide({ resource: 'secrets', name: 's' }, mirror)).toEqual(unrelated);
    expect(decide({ resource: 'pods', name: 'web' }, mirror), 'but the pod itself').toEqual(allow);
  });

  test('have the rules of system:node for the rest', () => {
    expect(decide({ verb: 'watch', resource: 'services', namespace: '' })).toEqual(allow);
    expect(decide({ verb: 'delete', resource: 'services' })).toEqual({ verdict: 'no opinion' });
    expect(authorizeNode(aboutPath(node, 'get', '/metrics'), cacheOf())).toEqual({ verdict: 'no opinion' });
  });

  interface Row extends Partial<Omit<Attributes, 'user'>> {
    readonly node: string;
    readonly verb: string;
    readonly resource: string;
  }
  interface Result {
    readonly allowed: boolean;
    readonly reason?: string;
  }

  /** The cluster of the table's note. */
  const table: ObjectCache = cacheOf(
    ...['node0', 'node1'].flatMap((name) => {
      const claimed = `pvc0-pod0-${name}`;
      return [
        pod(name, `pod0-${name}`, {
          account: `svcacct0-${name}`,
          secrets: [`secret0-pod0-${name}`, 'secret0-shared'],
          configMaps: [`configmap0-pod0-${name}`],
          claims: [claimed],
          resourceClaims: [`claim0-pod0-${name}-ns0`, `generated-claim-pod0-${name}-ns0-0`],
        }),
        pod(name, `pod1-${name}`, { account: `svcacct0-${name}` }),
        volume(`pv0-pod0-${name}-ns0`, claimed, `secret-pv0-pod0-${name}-ns0`),
        stored('VolumeAttachment', { name: `attachment0-${name}` }, { spec: { nodeName: name } }),
      ];
    }),
  );

  test.each(named(vectors<Row, Result>('node-authorizer', 'authorizeNode', 94)))(
    "agrees with upstream's node authorizer: %s",
    (_, { input: { node: name, ...asked }, expect: wanted }) => {
      const who = user(`system:node:${name}`, 'system:nodes');
      const { verdict, reason } = authorizeNode(about(who, asked), table);
      const rule = ruleFor(`whether ${name} may`, asked);
      expect(verdict, rule).toBe(wanted.allowed ? 'allow' : 'no opinion');
      if (wanted.reason !== undefined) expect(reason, rule).toBe(wanted.reason);
    },
  );
});
