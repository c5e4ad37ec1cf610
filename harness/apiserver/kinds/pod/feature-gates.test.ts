import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import { deepFreeze } from '../../../api/freeze.ts';
import type { Pod } from '../../../api/objects.ts';
import { pod as kind } from '../pod.ts';
import { setPodTemplateDefaults } from '../pod-template.ts';
import { container, podSpec, storedPod } from './pod.fixture.ts';

/** A spec with every field whose gate is off in 1.36, and others beside them. */
const sent = deepFreeze({
  schedulingGroup: { podGroupName: 'group' },
  containers: [container({ lifecycle: { stopSignal: 'SIGUSR1' } })],
  initContainers: [
    container({ name: 'init', lifecycle: { stopSignal: 'SIGUSR1', preStop: { sleep: { seconds: 1 } } } }),
  ],
  volumes: [
    {
      name: 'all',
      projected: {
        sources: [
          { clusterTrustBundle: { name: 'x', path: 'p' } },
          { podCertificate: { signerName: 'x/y', keyType: 'ED25519', credentialBundlePath: 'c' } },
          { secret: { name: 's' } },
        ],
      },
    },
  ],
}) as Partial<core.PodSpec>;

const kept = podSpec({
  containers: [container()],
  initContainers: [container({ name: 'init', lifecycle: { preStop: { sleep: { seconds: 1 } } } })],
  volumes: [{ name: 'all', projected: { sources: [{}, {}, { secret: { name: 's' } }] } }],
});

describe('Fields whose feature gate is off', () => {
  test('are dropped from a spec, and what is empty without them', () => {
    expect(podSpec(sent)).toEqual(kept);
  });

  test('are dropped from a template', () => {
    const template = { spec: { containers: [], ...sent } };
    expect(setPodTemplateDefaults(template).spec).toEqual(kept);
  });

  test('are dropped from a status', () => {
    const volumeStatus = { image: { imageRef: 'x' } };
    const mount = { name: 'data', mountPath: '/data' };
    const status = (volumeMounts: object[], more: object = {}): Pod['status'] =>
      ({ containerStatuses: [{ name: 'app', volumeMounts }], ...more }) as never;
    const claims = { nodeAllocatableResourceClaimStatuses: [{ resourceClaimName: 'c' }] };
    const old = storedPod();
    const written = kind.prepareForStatusUpdate?.(
      { ...old, status: status([{ ...mount, volumeStatus }], claims) },
      old,
    );
    expect(written?.status).toEqual(status([mount], { qosClass: 'BestEffort' }));
  });

  test('leave an object as it is that has none of them', () => {
    expect(podSpec(kept)).toEqual(kept);
    expect(kind.setDefaults(storedPod(kept)).spec).toEqual(storedPod(kept).spec);
  });
});
