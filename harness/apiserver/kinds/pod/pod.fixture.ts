import type * as core from '#api/core/v1';
import { deepFreeze } from '../../../api/freeze.ts';
import type { Pod } from '../../../api/objects.ts';
import type { Cause } from '../../../api/status.ts';
import { apiTypes, type Struct } from '../../../api/table/table.ts';
import { unmarshal } from '../../schema/unmarshal.ts';
import { pod as kind } from '../pod.ts';
import { setPodSpecDefaults } from './defaults.ts';

/** A container `app` with `changes`. */
export function container(changes: Partial<core.Container> = {}): core.Container {
  return { name: 'app', image: 'registry.example/app:1', ...changes };
}

/** A spec after decoding, before defaulting: without empty fields. */
export function decodedSpec(spec: core.PodSpec): core.PodSpec {
  const struct = apiTypes.struct('core/v1.PodSpec') as Struct;
  return deepFreeze(unmarshal(struct, spec).object as unknown as core.PodSpec);
}

/** A spec with one container, with `changes` and with its defaults. */
export function podSpec(changes: Partial<core.PodSpec> = {}): core.PodSpec {
  return deepFreeze(setPodSpecDefaults(deepFreeze({ containers: [container()], ...changes })));
}

/** A stored pod for tests: valid, deeply frozen, and minimal. */
export function storedPod(changes: Partial<core.PodSpec> = {}, status: core.PodStatus = {}): Pod {
  const created: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web-1',
      namespace: 'default',
      uid: 'a1',
      resourceVersion: '7',
      creationTimestamp: '2024-05-01T10:00:00Z',
    },
    spec: { containers: [container()], ...changes },
    status,
  };
  const defaulted = kind.setDefaults(deepFreeze(created));
  return deepFreeze({ ...defaulted, status: { ...kind.prepareForCreate(defaulted).status, ...status } });
}

/** Formats errors as a client reads them: `path: message`. */
export function lines(causes: readonly Cause[]): string[] {
  return causes.map(({ field, message }) => `${field}: ${message}`);
}
