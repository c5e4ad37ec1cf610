import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { PersistentVolume, Pod } from '../../api/objects.ts';
import { referencesOf, secretsOfPersistentVolume } from './references.ts';

const podWith = (spec: Partial<core.PodSpec>, status: core.PodStatus = {}): Pod =>
  ({ metadata: { name: 'web' }, spec: { containers: [], ...spec }, status }) as unknown as Pod;

const secretRef = { name: 's' };

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util_test.go TestPodSecrets, TestPodConfigmaps
describe('The references of a pod', () => {
  const container = (name: string): core.Container => ({
    name,
    envFrom: [{ secretRef: { name: `${name}-all` } }, { configMapRef: { name: `${name}-all` } }],
    env: [
      { name: 'A', valueFrom: { secretKeyRef: { name: `${name}-one`, key: 'k' } } },
      { name: 'B', valueFrom: { configMapKeyRef: { name: `${name}-one`, key: 'k' } } },
      { name: 'C', value: 'plain' },
    ],
  });

  test('include the environment of all containers, and the secrets for images', () => {
    const { secrets, configMaps } = referencesOf(
      podWith({
        imagePullSecrets: [{ name: 'pull' }, {}],
        initContainers: [container('init')],
        containers: [container('app')],
        ephemeralContainers: [container('debug')],
      }),
    );
    const names = ['init-all', 'init-one', 'app-all', 'app-one', 'debug-all', 'debug-one'];
    expect([...secrets]).toEqual(['pull', ...names]);
    expect([...configMaps]).toEqual(names);
  });

  test.each<Omit<core.Volume, 'name'>>([
    { azureFile: { secretName: 's', shareName: 'x' } },
    { cephfs: { monitors: [], secretRef } },
    { cinder: { volumeID: 'x', secretRef } },
    { flexVolume: { driver: 'x', secretRef } },
    { projected: { sources: [{ secret: secretRef }] } },
    { rbd: { monitors: [], image: 'x', secretRef } },
    { secret: { secretName: 's' } },
    { scaleIO: { gateway: 'x', system: 'x', secretRef } },
    { iscsi: { targetPortal: 'x', iqn: 'x', lun: 0, secretRef } },
    { storageos: { secretRef } },
    { csi: { driver: 'x', nodePublishSecretRef: secretRef } },
  ])('include the secret of a volume: %j', (source) => {
    expect([...referencesOf(podWith({ volumes: [{ name: 'v', ...source }] })).secrets]).toEqual(['s']);
  });

  test('include config maps and claims of volumes', () => {
    const { configMaps, claims, secrets } = referencesOf(
      podWith({
        volumes: [
          { name: 'a', configMap: { name: 'c1' } },
          { name: 'b', projected: { sources: [{ configMap: { name: 'c2' } }] } },
          { name: 'c', persistentVolumeClaim: { claimName: 'data' } },
          { name: 'd', ephemeral: {} },
          { name: 'e', emptyDir: {} },
        ],
      }),
    );
    expect([...configMaps]).toEqual(['c1', 'c2']);
    expect([...claims]).toEqual(['data', 'web-d']);
    expect([...secrets]).toEqual([]);
  });

  test('include resource claims by name, from a template, and for extended resources', () => {
    const { resourceClaims } = referencesOf(
      podWith(
        {
          resourceClaims: [
            { name: 'a', resourceClaimName: 'named' },
            { name: 'b', resourceClaimTemplateName: 't' },
            { name: 'c', resourceClaimTemplateName: 't' },
          ],
        },
        {
          resourceClaimStatuses: [{ name: 'b', resourceClaimName: 'generated' }],
          extendedResourceClaimStatus: { requestMappings: [], resourceClaimName: 'extended' },
        },
      ),
    );
    expect([...resourceClaims]).toEqual(['named', 'generated', 'extended']);
  });
});

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/persistentvolume/util_test.go TestPVSecrets
describe('The secrets of a persistent volume', () => {
  const of = (spec: Partial<core.PersistentVolumeSpec>): unknown =>
    secretsOfPersistentVolume({
      spec: { claimRef: { namespace: 'ns', name: 'c' }, ...spec },
    } as PersistentVolume);
  const own = { namespace: 'own', name: 's' };

  test('are in the namespace of the claim, unless the volume names another', () => {
    expect(of({ rbd: { monitors: [], image: 'x', secretRef } })).toEqual([{ namespace: 'ns', name: 's' }]);
    expect(of({ rbd: { monitors: [], image: 'x', secretRef: own } })).toEqual([own]);
    expect(of({ azureFile: { shareName: 'x', secretName: 's' } })).toEqual([{ namespace: 'ns', name: 's' }]);
    expect(of({ azureFile: { shareName: 'x', secretName: 's', secretNamespace: 'own' } })).toEqual([own]);
  });

  test('of a driver include only the secrets that a kubelet needs', () => {
    expect(
      of({
        csi: {
          driver: 'd',
          volumeHandle: 'h',
          controllerPublishSecretRef: { namespace: 'own', name: 'controller' },
          nodePublishSecretRef: { namespace: 'own', name: 'publish' },
          nodeStageSecretRef: { namespace: 'own', name: 'stage' },
          nodeExpandSecretRef: { namespace: 'own', name: 'expand' },
        },
      }),
    ).toEqual(['publish', 'stage', 'expand'].map((name) => ({ namespace: 'own', name })));
  });

  test('of other volumes do not exist', () => {
    expect(of({ hostPath: { path: '/x' } })).toEqual([]);
  });
});
