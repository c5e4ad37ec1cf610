import { describe, expect, test } from 'vitest';
import type { MergeField, MergeSchema } from '../../contracts/apply/index.ts';
import { schemaOf } from './patch-schema.ts';

function field(group: string, kind: string, path: string): Omit<MergeField, 'schema'> {
  let found: MergeField = { schema: schemaOf({ group, version: 'v1', kind }) ?? {} };
  for (const name of path.split('.')) found = (found.schema as MergeSchema | undefined)?.[name] ?? {};
  const { schema: _, ...tags } = found;
  return tags;
}

const by = (patchMergeKey: string) => ({ patchStrategy: 'merge', patchMergeKey });
const unionsBy = (patchMergeKey: string) => ({ patchStrategy: 'merge,retainKeys', patchMergeKey });
const scalars = { patchStrategy: 'merge' };
const untagged = {};

describe('schemaOf', () => {
  test.each([
    ['', 'Pod', 'metadata.ownerReferences', by('uid')],
    ['', 'Pod', 'metadata.finalizers', scalars],
    ['', 'Pod', 'spec.containers', by('name')],
    ['', 'Pod', 'spec.initContainers.env', by('name')],
    ['', 'Pod', 'spec.ephemeralContainers.volumeMounts', by('mountPath')],
    ['', 'Pod', 'spec.containers.volumeDevices', by('devicePath')],
    ['', 'Pod', 'spec.volumes', unionsBy('name')],
    ['', 'Pod', 'spec.resourceClaims', unionsBy('name')],
    ['', 'Pod', 'spec.imagePullSecrets', by('name')],
    ['', 'Pod', 'spec.hostAliases', by('ip')],
    ['', 'Pod', 'spec.topologySpreadConstraints', by('topologyKey')],
    ['', 'Pod', 'spec.tolerations', untagged],
    ['', 'Pod', 'status.podIPs', by('ip')],
    ['', 'Pod', 'status.hostIPs', by('ip')],
    ['', 'Pod', 'status.conditions', by('type')],
    ['', 'Pod', 'status.containerStatuses', untagged],
    ['', 'Node', 'spec.podCIDRs', scalars],
    ['', 'Node', 'spec.taints', untagged],
    ['', 'Node', 'status.addresses', by('type')],
    ['', 'Service', 'spec.ports', by('port')],
    ['', 'ServiceAccount', 'secrets', by('name')],
    ['', 'ServiceAccount', 'imagePullSecrets', untagged],
    ['apps', 'Deployment', 'spec.strategy', { patchStrategy: 'retainKeys' }],
    ['apps', 'Deployment', 'spec.template.spec.containers.ports', by('containerPort')],
    ['apps', 'StatefulSet', 'spec.volumeClaimTemplates', untagged],
    ['apps', 'DaemonSet', 'spec.updateStrategy', untagged],
    ['batch', 'CronJob', 'spec.jobTemplate.spec.template.spec.volumes', unionsBy('name')],
    ['policy', 'PodDisruptionBudget', 'spec.selector', { patchStrategy: 'replace' }],
    ['storage.k8s.io', 'CSINode', 'spec.drivers', by('name')],
  ])('tags %s/%s %s', (group, kind, path, tags) => {
    expect(schemaOf({ group, version: 'v1', kind })).toBeDefined();
    expect(field(group, kind, path)).toStrictEqual(tags);
  });

  test('returns a schema for a built-in kind without tags', () => {
    expect(Object.keys(schemaOf({ group: '', version: 'v1', kind: 'ConfigMap' }) ?? {})).toStrictEqual([
      'metadata',
    ]);
  });

  test('supports recursive structs', () => {
    const path = 'spec.versions.schema.openAPIV3Schema.not.not.externalDocs';
    expect(field('apiextensions.k8s.io', 'CustomResourceDefinition', path)).toStrictEqual(untagged);
  });

  test('returns none for custom resources and for kinds in another group', () => {
    expect(schemaOf({ group: 'example.com', version: 'v1', kind: 'Widget' })).toBeUndefined();
    expect(schemaOf({ group: 'apps', version: 'v1', kind: 'Pod' })).toBeUndefined();
    expect(schemaOf({ group: '__proto__', version: 'v1', kind: 'toString' })).toBeUndefined();
    expect(schemaOf({ group: '', version: 'v1', kind: 'constructor' })).toBeUndefined();
  });
});
