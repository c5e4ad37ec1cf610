import type { KubeObject } from '../../api/objects.ts';
import type { Cause } from '../../api/status.ts';
import type { Kind } from '../kind.ts';
import { received, said } from './kind-laws.ts';
import { samples } from './samples.fixture.ts';

/** New values by path, such as `spec.rules.0.host`; undefined removes a field. */
export type Changes = Readonly<Record<string, unknown>>;

/** Returns the sample of a kind with some changes, decoded and defaulted. */
export function sampleOf<T extends KubeObject>(kind: Kind<T>, changes: Changes = {}): T {
  const { resource } = kind;
  const object = structuredClone({
    metadata: {
      name: 'a',
      ...(resource.namespaced ? { namespace: 'default' } : {}),
      uid: 'u-1',
      resourceVersion: '1',
      creationTimestamp: '2024-05-01T10:00:00Z',
    },
    ...samples[resource.kind],
  }) as Record<string, unknown>;
  for (const [path, value] of Object.entries(changes)) set(object, path.split('.'), value);
  return received(kind, object as unknown as T);
}

/** Returns the validation errors of creating the changed sample. */
export function refused<T extends KubeObject>(kind: Kind<T>, changes: Changes = {}): string[] {
  return said(kind.validate(kind.prepareForCreate(sampleOf(kind, changes))));
}

/** Returns the validation errors of updating the sample with the changes. */
export function refusedUpdate<T extends KubeObject>(
  kind: Kind<T>,
  changes: Changes,
  of: Changes = {},
): string[] {
  const old = kind.prepareForCreate(sampleOf(kind, of));
  const now = kind.prepareForCreate(sampleOf(kind, { ...of, ...changes }));
  return said(kind.validateUpdate(kind.prepareForUpdate(now, old), old));
}

/** Returns the validation errors of a status update with the changes. */
export function refusedStatus<T extends KubeObject>(
  kind: Kind<T>,
  changes: Changes,
  of: Changes = {},
): string[] {
  const old = sampleOf(kind, of);
  const now = sampleOf(kind, { ...of, ...changes });
  const causes: readonly Cause[] = kind.validateStatusUpdate?.(now, old) ?? [];
  return said(causes);
}

function set(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) {
    target[name] ??= {};
    set(target[name] as Record<string, unknown>, rest, value);
  } else if (value === undefined) delete target[name];
  else target[name] = value;
}
