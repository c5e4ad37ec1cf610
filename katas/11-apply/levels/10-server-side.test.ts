import { describe, expect, test } from 'vitest';
import { LAST_APPLIED, type ManagedFields } from '#given/11-apply';
import { configMaps } from '#harness';
import { applyOnServer, migratedFrom, optionalSteps } from '#kata/11-apply/apply';
import { config, outcomes, withCluster } from './cluster.fixture.ts';

const key = { namespace: 'default', name: 'a' };

function entry(
  manager: string,
  operation: 'Apply' | 'Update',
  fields: object,
  more: object = {},
): ManagedFields {
  return {
    manager,
    operation,
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...more,
  } as ManagedFields;
}

describe('Level 10 ★ · Server-side apply', () => {
  const CLIENT = 'kubectl-client-side-apply';

  test('moves the fields of an old manager to the manager that applies', () => {
    const old = entry(CLIENT, 'Update', { 'f:data': { 'f:a': {}, 'f:b': {} } });
    const own = entry('kubectl', 'Apply', { 'f:data': { 'f:a': {} }, 'f:x': {} });
    const other = entry('other', 'Update', { 'f:y': {} });
    expect(migratedFrom([old, own, other], CLIENT), 'the owners of fields').toEqual([
      entry('kubectl', 'Apply', { 'f:data': { 'f:a': {}, 'f:b': {} }, 'f:x': {} }),
      other,
    ]);
  });

  test('turns the entry of the old manager into that of a missing new one', () => {
    const old = entry(CLIENT, 'Update', { 'f:data': {} });
    expect(migratedFrom([old], CLIENT), 'the owners of fields').toEqual([
      entry('kubectl', 'Apply', { 'f:data': {} }),
    ]);
  });

  test('drops the fields of another version, and leaves subresources alone', () => {
    const own = entry('kubectl', 'Apply', { 'f:a': {} });
    const beta = entry(CLIENT, 'Update', { 'f:b': {} }, { apiVersion: 'v1beta1' });
    const status = entry(CLIENT, 'Update', { 'f:status': {} }, { subresource: 'status' });
    expect(migratedFrom([own, beta, status], CLIENT), 'the owners of fields').toEqual([own, status]);
  });

  test('returns the same entries without an old manager', () => {
    const entries = [entry('kubectl', 'Apply', {}), entry(CLIENT, 'Apply', {})];
    expect(migratedFrom(entries, CLIENT), 'the owners of fields').toBe(entries);
  });

  test('is part of an apply', () => {
    expect(optionalSteps, 'optionalSteps').toMatchObject({ applyOnServer });
  });

  test('lets the server merge, and adds no annotation', () =>
    withCluster(async (run, admin) => {
      expect(outcomes(await run([config('a', { x: '1' })], { serverSide: true })), 'the outcome').toEqual([
        'a serverside-applied',
      ]);
      expect((await admin.get(configMaps, key)).metadata.annotations, 'the annotations').toBeUndefined();
    }));

  test('removes a field that a client-side apply had set', () =>
    withCluster(async (run, admin) => {
      await run([config('a', { x: '1', y: '1' })]);
      await run([config('a', { x: '1' })], { serverSide: true });
      const { data, metadata } = await admin.get(configMaps, key);
      expect(data, 'data: the manifest has no y').toEqual({ x: '1' });
      expect(metadata.annotations?.[LAST_APPLIED], 'the annotation, which must survive').toBeDefined();
      const owners = metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`);
      expect(owners?.toSorted(), 'the owners of fields').toEqual([
        'kubectl Apply',
        'kubectl-last-applied Apply',
      ]);
    }));

  test('fails if another manager owns a field, unless it takes the field over', () =>
    withCluster(async (run, admin) => {
      const body = config('a', { x: '1' });
      await admin.patch(configMaps, key, { type: 'apply', body }, { fieldManager: 'other' });
      const { errors } = await run([config('a', { x: '2' })], { serverSide: true });
      expect(errors[0]?.message, 'the error').toContain('Please review the fields above');
      const options = { serverSide: true, forceConflicts: true };
      expect(
        (await run([config('a', { x: '2' })], options)).errors,
        'the errors with forceConflicts',
      ).toEqual([]);
    }));

  test('writes nothing in a dry run', () =>
    withCluster(async (run, admin) => {
      await run([config('a', { x: '1' })]);
      const before = await admin.get(configMaps, key);
      await run([config('a', { x: '2' })], { serverSide: true, dryRun: 'server', forceConflicts: true });
      expect(await admin.get(configMaps, key), 'the object').toEqual(before);
    }));
});
