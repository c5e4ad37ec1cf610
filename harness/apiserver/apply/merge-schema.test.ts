import { describe, expect, test } from 'vitest';
import { resources } from '../../api/resource.ts';
import { type MergeSchema, schemaOf } from './merge-schema.ts';

const deployment = schemaOf({ group: 'apps', version: 'v1', kind: 'Deployment' }) as MergeSchema;

/** Returns the schema at the end of a path: `[]` is an item of a list. */
function at(schema: MergeSchema, path: string): MergeSchema | undefined {
  return path
    .split('.')
    .reduce<MergeSchema | undefined>(
      (inner, name) => (name === '[]' ? inner?.list?.item() : inner?.map?.value(name)),
      schema,
    );
}

const container = 'spec.template.spec.containers.[]';

describe('The schema of a kind', () => {
  test('exists for every served kind', () => {
    expect(resources.filter((resource) => !schemaOf(resource))).toEqual([]);
    expect(schemaOf({ group: 'apps', version: 'v1', kind: 'Nothing' })).toBeUndefined();
  });

  test('distinguishes list items as the type says, or like a strategic merge patch', () => {
    expect(at(deployment, `${container}.ports`)?.list).toMatchObject({
      type: 'map',
      keys: ['containerPort', 'protocol'],
    });
    expect(at(deployment, 'metadata.finalizers')?.list?.type).toBe('set');
    expect(at(deployment, `${container}.command`)?.list?.type).toBe('atomic');
    const volumes = at(deployment, 'spec.template.spec.volumes')?.list;
    expect(volumes).toMatchObject({ type: 'map', keys: ['name'] });
  });

  test('has the defaults of keys', () => {
    expect(at(deployment, `${container}.ports.[]`)?.map?.fields.get('protocol')?.default).toBe('TCP');
  });

  test('treats some maps and structs as one value, also as list items', () => {
    const isAtomic = (path: string) => at(deployment, path)?.map?.atomic;
    expect(isAtomic('spec.selector')).toBe(true);
    expect(isAtomic('spec.template.spec.nodeSelector')).toBe(true);
    expect(isAtomic('metadata.ownerReferences.[]')).toBe(true);
    expect(isAtomic('spec.template.spec.imagePullSecrets.[]')).toBe(true);
    expect(isAtomic('metadata.labels')).toBe(false);
    expect(isAtomic(container)).toBe(false);
  });

  test('recognizes scalars, and leaves types with their own encoding untyped', () => {
    const scalarAt = (path: string) => at(deployment, path)?.scalar;
    expect(scalarAt('spec.replicas')).toBe('numeric');
    expect(scalarAt('spec.paused')).toBe('boolean');
    expect(scalarAt('spec.strategy.type')).toBe('string');
    expect(scalarAt('spec.strategy.rollingUpdate.maxSurge')).toBe('untyped');
    expect(scalarAt('metadata.creationTimestamp')).toBe('untyped');
    expect(scalarAt(`${container}.resources.limits.cpu`)).toBe('untyped');
  });
});
