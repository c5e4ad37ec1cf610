import type { KubeObject } from '../../api/objects.ts';
import type { Cause } from '../../api/status.ts';
import type { Kind } from '../kind.ts';
import { received, said } from './kind-laws.ts';
import { samples } from './samples.fixture.ts';

/** New values by their paths, `spec.rules.0.host`; undefined takes a field away. */
export type Changes = Readonly<Record<string, unknown>>;

/** The sample of a kind with some changes, as the kind is given it after decoding and defaulting. */
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

/** What is said against it when it is new. */
export function refused<T extends KubeObject>(kind: Kind<T>, changes: Changes = {}): string[] {
  return said(kind.validate(kind.prepareForCreate(sampleOf(kind, changes))));
}

/** What is said against the changes of the one that there is. */
export function refusedUpdate<T extends KubeObject>(
  kind: Kind<T>,
  changes: Changes,
  of: Changes = {},
): string[] {
  const old = kind.prepareForCreate(sampleOf(kind, of));
  const now = kind.prepareForCreate(sampleOf(kind, { ...of, ...changes }));
  return said(kind.validateUpdate(kind.prepareForUpdate(now, old), old));
}

/** What is said against the change of a status. */
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
